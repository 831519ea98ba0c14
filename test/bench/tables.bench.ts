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

/** The same with few users and with many, of which one in the middle has this number and this id. */
interface Of {
  readonly platform: Platform
  readonly users: number
  readonly middle: number
  readonly id: string
}
const [ofFew, ofMany] = [await of(small, few), await of(large, many)]
const pair = (name: string, run: (of: Of) => unknown): Parameters<typeof compareInTurn>[1] => [
  [`${name} of ${few}`, () => run(ofFew)],
  [`${name} of ${many}`, () => run(ofMany), 2, `${name} of ${few}`],
]

await compareInTurn('A page of 50 users, as a request', [
  ...pair('the first', ({ platform }) => list(platform, page)),
  [`the last of ${many}`, () => list(large, `${page}&desc=true`), 2],
  ...pair('from the middle', ({ platform, id }) => list(platform, `${page}&cursor=${id}`)),
])

await list(large, 'query=anybody') // makes the index of the search
await compareInTurn('A search, as a request', [
  ...pair('one', ({ platform, middle }) => list(platform, `query=User%20${middle}`)),
  ...pair('an address', ({ platform, middle }) => list(platform, `query=${address(middle)}`)),
  ...pair('a page of all', ({ platform }) => list(platform, `${page}&query=user`)),
])

const permissions = (id: string) => `GET /team-permissions?team_id=${teamId}&user_id=${id}&recursive=true`
await compareInTurn(
  'Everything that a member may do',
  pair('in a team', ({ platform, id }) => request(platform, permissions(id))),
)

const password = 'correct horse'
await compareInTurn('One user', [
  ...pair('a sign-in, of one', ({ platform, middle }) =>
    request(platform, 'POST /auth/password/sign-in', { email: address(middle), password }),
  ),
  ...pair('a change, of one', ({ platform, id }) => request(platform, `PATCH /users/${id}`, { display_name: 'Ada' })),
])
await compareInTurn(
  'A copy of everything',
  pair('a fork', ({ platform }) => platform.fork().dispose()),
)

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

async function of(platform: Platform, users: number): Promise<Of> {
  const middle = users / 2
  const id = (await list(platform, `limit=${middle + 1}`)).items[middle]?.id
  if (id === undefined) throw new Error(`there is no user ${middle}`)
  return { platform, users, middle, id }
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
