import { wireName } from '../../src/core/wire'
import { accessLevels } from '../../src/platform/http/authenticate'
import type { ServedRoute } from '../../src/platform/http/serve'
import { rulesOf } from '../../src/platform/model/release'
import { routesOf } from '../../src/platform/routes/index'
import { patternOf, type DeclaredEndpoint } from '../declared-endpoints'

const releases = ['2.8.18', '2026'] as const
type Release = (typeof releases)[number]
const served = { '2.8.18': routesOf(rulesOf('2.8.18')), '2026': routesOf(rulesOf('2026')) }

/** What the local platform serves at this release to callers of this level: routes of a lower level answer those above, too. */
export function servedAt(release: Release, { route, access }: DeclaredEndpoint): ServedRoute[] {
  const allowed = accessLevels.slice(0, accessLevels.indexOf(access) + 1)
  const found = served[release].filter(one => patternOf(one.route) === patternOf(route) && allowed.includes(one.access))
  const own = found.filter(one => one.access === access)
  return own.length > 0 ? own : found
}

/** `GET /users server` */
export function lineOf({ route, access }: DeclaredEndpoint): string {
  return `${route} ${access}`
}

/** The page of the reference that lists every request, each with the release that has it. */
export function endpointsPage(endpoints: readonly DeclaredEndpoint[]): string {
  const listed = [...new Map(endpoints.map(one => [lineOf(one), one])).values()].sort(byPath)
  const lines = (all: readonly string[]) => `\`\`\`text\n${all.join('\n')}\n\`\`\`\n`
  return `# Endpoints

Every request that the kit can make, as \`METHOD path access\`, relative to \`/api/v1\` under the base address. A line with \`(2026)\`
is of the release of 2026 only, one with \`(2.8.18)\` of the reference release only.

${lines(listed.map(markedLine))}
## Fields

Addresses of both releases that take more in the release of 2026. Where the kit sends such a field to release 2.8.18, which refuses
it, the call fails with \`NOT_ON_THIS_PLATFORM\` and names the field.

${lines(listed.flatMap(newFieldsOf))}`
}

function byPath(left: DeclaredEndpoint, right: DeclaredEndpoint): number {
  const key = (one: DeclaredEndpoint) => [...lineOf(one).split(' ').slice(1), lineOf(one)].join(' ')
  return key(left) < key(right) ? -1 : 1
}

/** `GET /users server`, with the release if only one has it. */
function markedLine(endpoint: DeclaredEndpoint): string {
  const having = releases.filter(release => servedAt(release, endpoint).length > 0)
  return having.length === 1 ? `${lineOf(endpoint)} (${having[0]})` : lineOf(endpoint)
}

/** `GET /users server: include_anonymous`, for an address on both releases with fields that only 2026 takes. */
function newFieldsOf(endpoint: DeclaredEndpoint): string[] {
  const [older, newer] = [servedAt('2.8.18', endpoint)[0], servedAt('2026', endpoint)[0]]
  if (!older || !newer) return []
  const added = (['query', 'body'] as const).flatMap(place => {
    const before = new Set(Object.keys(older.forms['2.8.18'].fields[place]))
    return Object.entries(newer.forms['2026'].fields[place]).filter(([name]) => !before.has(name))
  })
  const names = [...new Set(added.map(([name, field]) => wireName(name, field)))]
  return names.length > 0 ? [`${lineOf(endpoint)}: ${names.sort().join(', ')}`] : []
}
