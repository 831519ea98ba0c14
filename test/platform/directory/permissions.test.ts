import fc from 'fast-check'
import { createPlatform } from 'rxauth/platform'
import type { SeedPermission } from 'rxauth/platform'
import { isSystemPermission } from '../../../src/platform/model/system-permissions'
import { ada, ask, team } from '../wire-world'

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
        const platform = createPlatform({
          seed: {
            project: { config },
            permissions: definitions,
            users: [ada],
            teams: [{ ...team, members: [{ email: ada.email, permissions: ids }] }],
          },
        })
        const list = async (recursive: boolean, query = '') => {
          const line = `GET /${scope}-permissions?user_id=${ada.id}&recursive=${recursive}${query}`
          const { items } = (await ask(platform, line, { access: 'server' })).body as { items: { id: string }[] }
          return items.map(({ id }) => id)
        }
        const all = reachable(definitions, scope, ids)
        expect(await list(true)).toEqual(all)
        expect(await list(false)).toEqual(
          reachable(
            definitions.map(each => ({ ...each, contains: [] })),
            scope,
            ids,
          ),
        )
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
