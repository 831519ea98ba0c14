// The cost of a platform's answers with 100,000 users, compared with 100.
import { createPlatform, type Platform } from 'rxauth/platform'
import { compareInTurn, print } from './measure'

const teamId = '5f0c61a4-9d2e-4c7b-8a51-1f3e8d7b2c90'
const address = (index: number) => `user-${index}@example.com`

const few = 100
const many = 100_000

const begun = performance.now()
const [small, large] = [await platformOf(few), await platformOf(many)]
print(`A platform with ${many.toLocaleString('en')} users`, [
  { name: 'seeding it', value: `${((performance.now() - begun) / 1000).toFixed(1)} s` },
])

const page = 'limit=50'
const middle = { small: await idAt(small, few / 2), large: await idAt(large, many / 2) }
await compareInTurn('A page of 50 users, as a request', [
  { name: `the first of ${few}`, run: () => list(small, page) },
  { name: `the first of ${many}`, run: () => list(large, page), against: `the first of ${few}`, target: 2 },
  {
    name: `the last of ${many}`,
    run: () => list(large, `${page}&desc=true`),
    against: `the first of ${few}`,
    target: 2,
  },
  { name: `from the middle of ${few}`, run: () => list(small, `${page}&cursor=${middle.small}`) },
  {
    name: `from the middle of ${many}`,
    run: () => list(large, `${page}&cursor=${middle.large}`),
    against: `from the middle of ${few}`,
    target: 2,
  },
])

await list(large, 'query=anybody') // makes the index of the search
await compareInTurn('A search, as a request', [
  { name: `one of ${few}`, run: () => list(small, `query=User%20${few / 2}`) },
  { name: `one of ${many}`, run: () => list(large, `query=User%20${many / 2}`), against: `one of ${few}`, target: 2 },
  { name: `an address of ${few}`, run: () => list(small, `query=${address(few / 2)}`) },
  {
    name: `an address of ${many}`,
    run: () => list(large, `query=${address(many / 2)}`),
    against: `an address of ${few}`,
    target: 2,
  },
  { name: `a page of all ${few}`, run: () => list(small, `${page}&query=user`) },
  {
    name: `a page of all ${many}`,
    run: () => list(large, `${page}&query=user`),
    against: `a page of all ${few}`,
    target: 2,
  },
])

const permissions = (id: string) => `GET /team-permissions?team_id=${teamId}&user_id=${id}&recursive=true`
await compareInTurn('Everything that a member may do', [
  { name: `of a team of ${few}`, run: () => request(small, permissions(middle.small)) },
  {
    name: `of a team of ${many}`,
    run: () => request(large, permissions(middle.large)),
    against: `of a team of ${few}`,
    target: 2,
  },
])

await compareInTurn('One user', [
  { name: `a sign-in, of ${few}`, run: () => signIn(small, address(few / 2)) },
  {
    name: `a sign-in, of ${many}`,
    run: () => signIn(large, address(many / 2)),
    against: `a sign-in, of ${few}`,
    target: 2,
  },
  { name: `a change, of ${few}`, run: () => rename(small, middle.small) },
  { name: `a change, of ${many}`, run: () => rename(large, middle.large), against: `a change, of ${few}`, target: 2 },
])
await compareInTurn('A copy of everything', [
  { name: `a fork, of ${few}`, run: () => small.fork().dispose() },
  { name: `a fork, of ${many}`, run: () => large.fork().dispose(), against: `a fork, of ${few}`, target: 2 },
])

async function platformOf(users: number): Promise<Platform> {
  const platform = createPlatform({
    seed: {
      permissions: [
        { id: 'lead', scope: 'team', contains: ['write', 'team_member'] },
        { id: 'write', scope: 'team', contains: ['read'] },
        { id: 'read', scope: 'team' },
      ],
      teams: [
        {
          id: teamId,
          displayName: 'Everybody',
          members: Array.from({ length: users }, (_, index) => ({ email: address(index), permissions: ['lead'] })),
        },
      ],
      users: Array.from({ length: users }, (_, index) => ({
        email: address(index),
        displayName: `User ${index}`,
        ...(index === users / 2 && { password: 'correct horse' }),
      })),
    },
  })
  await platform.seed({})
  return platform
}

function list(platform: Platform, query: string): Promise<{ readonly items: readonly { readonly id: string }[] }> {
  return request(platform, `GET /users?${query}`)
}

async function idAt(platform: Platform, index: number): Promise<string> {
  const { items } = await list(platform, `limit=${index + 1}`)
  const id = items[index]?.id
  if (id === undefined) throw new Error(`there is no user ${index}`)
  return id
}

function signIn(platform: Platform, email: string): Promise<unknown> {
  return request(platform, 'POST /auth/password/sign-in', { email, password: 'correct horse' })
}

function rename(platform: Platform, id: string): Promise<unknown> {
  return request(platform, `PATCH /users/${id}`, { display_name: 'Ada' })
}

async function request<T>({ serverOptions, fetch }: Platform, line: string, body?: object): Promise<T> {
  const [method = '', path = ''] = line.split(' ')
  const response = await fetch(
    new Request(`${serverOptions.baseUrl}/api/v1${path}`, {
      method,
      headers: {
        'x-stack-access-type': 'server',
        'x-stack-project-id': serverOptions.projectId,
        'x-stack-secret-server-key': serverOptions.secretServerKey,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }),
  )
  if (response.status >= 400) throw new Error(`${line} was answered ${response.status}`)
  // The caller knows the shape of the answer.
  return (await response.json()) as T
}
