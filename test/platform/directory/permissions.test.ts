import fc from 'fast-check'
import { createPlatform, type ProjectConfig, type SeedPermission } from 'rxauth/platform'
import { isSystemPermission } from '../../../src/platform/model/teams'
import { grace } from '../users-world'
import { oauthWorld } from '../oauth-world'
import { accessTokenOf, ada, ask, expectPlain, expectRefusal, team, wireWorld } from '../wire-world'
import type { Answer, World } from '../wire-world'

const own = ['a', 'b', 'c', 'd', 'e', 'f']
const system = ['$update_team', '$read_members']
const undefinedIds = ['x', 'y']

/** Any graph over a few permissions of both scopes: with cycles, and with edges to unknown ids or to the other scope. */
const graph = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom(...own),
    scope: fc.constantFrom('team' as const, 'project' as const),
    contains: fc.uniqueArray(fc.constantFrom(...own, ...system, ...undefinedIds), { maxLength: 4 }),
  }),
  { selector: ({ id }) => id },
)
const granted = fc.uniqueArray(fc.constantFrom(...own, ...system, ...undefinedIds))

/** The closure of the graph: one more step until nothing is new. */
function reachable(
  definitions: readonly SeedPermission[],
  scope: 'team' | 'project',
  from: readonly string[],
): string[] {
  const exists = (id: string) =>
    definitions.some(each => each.id === id && each.scope === scope) || (scope === 'team' && isSystemPermission(id))
  let all = new Set(from.filter(exists))
  for (;;) {
    const contained = [...all].flatMap(id => definitions.find(each => each.id === id)?.contains ?? [])
    const next = new Set([...all, ...contained.filter(exists)])
    if (next.size === all.size) return [...all].sort()
    all = next
  }
}

describe('random permission graphs', () => {
  it.each(['team', 'project'] as const)('of a %s have the same closure as a brute-force search', async scope => {
    await fc.assert(
      fc.asyncProperty(graph, granted, async (definitions, ids) => {
        const config = { userDefaultPermissions: ids.map(id => ({ id })) }
        const teams = [{ ...team, members: [{ email: ada.email, permissions: ids }] }]
        const platform = createPlatform({
          seed: { project: { config }, permissions: definitions, users: [ada], teams },
        })
        const list = async (recursive: boolean, query = '') => {
          const line = `GET /${scope}-permissions?user_id=${ada.id}&recursive=${recursive}${query}`
          const { items } = (await ask(platform, line, { access: 'server' })).body as { items: { id: string }[] }
          return items.map(({ id }) => id)
        }
        const all = reachable(definitions, scope, ids)
        const alone = definitions.map(each => ({ ...each, contains: [] }))
        expect(await list(true)).toEqual(all)
        expect(await list(false)).toEqual(reachable(alone, scope, ids))
        for (const id of own) expect(await list(true, `&permission_id=${id}`)).toEqual(all.includes(id) ? [id] : [])
        platform.dispose()
      }),
      { numRuns: 60 },
    )
  })

  it('end for chains and cycles of any length', async () => {
    const count = 2000
    const permissions = Array.from({ length: count }, (_, index) => ({
      id: `p${index}`,
      scope: 'team' as const,
      contains: [`p${(index + 1) % count}`],
    }))
    const members = [{ email: ada.email, permissions: ['p7'] }]
    const platform = createPlatform({ seed: { users: [ada], permissions, teams: [{ ...team, members }] } })
    const line = `GET /team-permissions?user_id=${ada.id}&recursive=true`
    const { body } = await ask(platform, line, { access: 'server' })
    expect((body as { items: unknown[] }).items).toHaveLength(count)
  })
})

const app = 'http://localhost:3000/handler'
const address = { email: 'new@example.com', callback_url: app }

describe('a default permission that is not defined', () => {
  const gone = [{ id: 'gone' }]
  const config: Partial<ProjectConfig> = {
    clientTeamCreationEnabled: true,
    magicLinkEnabled: true,
    teamCreatorDefaultPermissions: gone,
    teamMemberDefaultPermissions: [{ id: 'team_member' }, ...gone],
    userDefaultPermissions: gone,
  }
  const seed = { users: [ada, grace], teams: [{ ...team, members: [{ email: ada.email }] }] }
  const seeded = { ...seed, project: { config } }

  /** What a call could have made. */
  function madeIn({ platform }: World): unknown {
    type Tables = Readonly<Record<string, readonly object[]>>
    const { projects } = platform.snapshot() as { readonly projects: Readonly<Record<string, Tables>> }
    return Object.values(projects).map(
      ({ users, contactChannels, teams, memberships, teamGrants, projectGrants, oauthAccounts }) => ({
        ...{ users, contactChannels, teams, memberships, teamGrants, projectGrants, oauthAccounts },
      }),
    )
  }

  async function expectNothingMade(world: World, call: (world: World) => Promise<Answer>): Promise<Answer> {
    await world.platform.seed({})
    const before = madeIn(world)
    const answer = await call(world)
    expect(madeIn(world)).toEqual(before)
    return answer
  }

  // Promise: undefined-default-permission
  it.each<[what: string, line: string, body: object, personal?: Partial<ProjectConfig>]>([
    ['a membership', `POST /team-memberships/${team.id}/${grace.id}`, {}],
    ['a team with a creator', 'POST /teams', { display_name: 'x', creator_user_id: ada.id }],
    ['a team of a client', 'POST /teams', { display_name: 'x' }],
    ['a user', 'POST /users', { primary_email: address.email }],
    ['the personal team of a user', 'POST /users', {}, { userDefaultPermissions: [], createTeamOnSignUp: true }],
  ])('is refused for %s, and nothing is made', async (what, line, body, personal = {}) => {
    const world = wireWorld({ seed: { ...seed, project: { config: { ...config, ...personal } } } })
    const access = what.endsWith('client')
      ? { accessToken: await accessTokenOf(world) }
      : ({ access: 'server' } as const)
    const answer = await expectNothingMade(world, ({ ask }) => ask(line, { ...access, body }))
    expect(expectRefusal(answer, 'PERMISSION_NOT_FOUND')).toEqual({ permission_id: 'gone' })
  })

  it('of the other scope is refused too', async () => {
    const other = { userDefaultPermissions: [{ id: 'team_admin' }], teamMemberDefaultPermissions: [{ id: 'publish' }] }
    const permissions = [{ id: 'publish', scope: 'project' as const }]
    const world = wireWorld({ seed: { ...seed, permissions, project: { config: other } } })
    const asServer = { access: 'server', body: {} } as const
    expectRefusal(await world.ask('POST /users', asServer), 'WRONG_PERMISSION_SCOPE')
    expectRefusal(await world.ask(`POST /team-memberships/${team.id}/${grace.id}`, asServer), 'WRONG_PERMISSION_SCOPE')
  })

  // Promise: undefined-default-permission
  it.each<[string, (world: World) => Promise<Answer>]>([
    [
      'with a password',
      ({ ask }) => {
        const body = { email: address.email, password: 'correct horse', verification_callback_url: app }
        return ask('POST /auth/password/sign-up', { body })
      },
    ],
    [
      'by a mailed code',
      async ({ ask, platform }) => {
        const { nonce } = (await ask('POST /auth/otp/send-sign-in-code', { body: address })).body
        const { code } = await platform.mailbox(address.email).next()
        return ask('POST /auth/otp/sign-in', { body: { code: `${code}${nonce}`.toLowerCase() } })
      },
    ],
    ['as a guest', ({ ask }) => ask('POST /auth/anonymous/sign-up')],
  ])('fails a sign-up %s, and no user is made', async (_, call) => {
    expectPlain(await expectNothingMade(wireWorld({ seed: seeded }), call), 500)
  })

  it('fails a sign-up with a provider, without a redirect', async () => {
    const world = oauthWorld(config)
    const answer = await expectNothingMade(world, () => world.signIn({ email: address.email }))
    expectPlain(answer, 500)
    expect(answer.headers.has('location')).toBe(false)
  })

  // Promise: undefined-default-permission
  it.each(['2.8.18', '2026'] as const)('fails an accepted invitation, whose code is used up: %s', async wire => {
    const world = wireWorld({ wire, seed: seeded })
    const accessToken = await accessTokenOf(world, grace.email)
    const body = { team_id: team.id, email: grace.email, callback_url: app }
    await world.ask('POST /team-invitations/send-code', { access: 'server', body })
    const { code } = await world.platform.mailbox(grace.email).next()
    const accept = () => world.ask('POST /team-invitations/accept', { accessToken, body: { code } })
    expectPlain(await expectNothingMade(world, accept), 500)
    expectRefusal(await accept(), 'VERIFICATION_CODE_ALREADY_USED')
  })
})
