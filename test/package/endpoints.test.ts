import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { accessLevels } from '../../src/platform/http/authenticate'
import type { Served } from '../../src/platform/http/serve'
import { rulesOf } from '../../src/platform/model/release'
import { routesOf } from '../../src/platform/routes/index'
import { wireName } from '../../src/core/wire'
import { declaredEndpoints, patternOf } from '../declared-endpoints'
import type { DeclaredEndpoint } from '../declared-endpoints'
import { root } from './sources'

const page = join(root, 'docs/contributing/endpoints.md')
const update = 'RXAUTH_WRITE=1 npx jest --selectProjects package -- test/package/endpoints'

const served = { '2.8.18': routesOf(rulesOf('2.8.18')), '2026': routesOf(rulesOf('2026')) }
const endpoints = declaredEndpoints()
const lines = [...new Set(endpoints.map(lineOf))].sort(byPath)

function lineOf({ route, access }: DeclaredEndpoint): string {
  return `${route} ${access}`
}

function byPath(left: string, right: string): number {
  const key = (line: string) => line.split(' ').slice(1).concat(line).join(' ')
  return key(left) < key(right) ? -1 : 1
}

/** What the local platform serves at this release to callers of this level: routes of a lower level answer those above, too. */
function servedAt(wire: keyof typeof served, { route, access }: DeclaredEndpoint): Served[] {
  const allowed = accessLevels.slice(0, accessLevels.indexOf(access) + 1)
  const found = served[wire].filter(one => patternOf(one.route) === patternOf(route) && allowed.includes(one.access))
  return found.filter(one => one.access === access).length > 0 ? found.filter(one => one.access === access) : found
}

/** `GET /users server`, with the release if only one has it. */
function markedLine(line: string): string {
  const endpoint = endpoints.find(one => lineOf(one) === line)!
  const wires = (['2.8.18', '2026'] as const).filter(wire => servedAt(wire, endpoint).length > 0)
  return wires.length === 1 ? `${line} (${wires[0]})` : line
}

/** `GET /users server: include_anonymous`, for an address on both releases with fields that only 2026 takes. */
function newFieldsOf(line: string): string[] {
  const endpoint = endpoints.find(one => lineOf(one) === line)!
  const [older, newer] = [servedAt('2.8.18', endpoint)[0], servedAt('2026', endpoint)[0]]
  if (!older || !newer) return []
  const added = (['query', 'body'] as const).flatMap(place => {
    const before = new Set(Object.keys(older.fields[place]))
    return Object.entries(newer.newerFields[place]).filter(([name]) => !before.has(name))
  })
  const names = [...new Set(added.map(([name, field]) => wireName(name, field)))]
  return names.length > 0 ? [`${line}: ${names.sort().join(', ')}`] : []
}

const blocks = {
  endpoints: lines.map(markedLine),
  'fields of 2026': lines.flatMap(newFieldsOf),
}

describe('the endpoints that the kit declares', () => {
  it('are found inside and outside of definitions', () => {
    expect(lines).toEqual(
      expect.arrayContaining(['GET /users/me client', 'POST /auth/oauth/token client', 'DELETE /users/me client']),
    )
  })

  it.each(Object.entries(blocks))(
    `%s are those in docs/contributing/endpoints.md; to update it: ${update}`,
    (name, list) => {
      const text = readFileSync(page, 'utf8')
      const [start, end] = [`<!-- ${name} -->\n\n\`\`\`text\n`, `\`\`\`\n\n<!-- /${name} -->`]
      const [from, to] = [text.indexOf(start) + start.length, text.indexOf(end)]
      expect(text.indexOf(start) !== -1 && to > from).toBe(true)
      const wanted = list.map(line => `${line}\n`).join('')
      if (process.env['RXAUTH_WRITE']) writeFileSync(page, text.slice(0, from) + wanted + text.slice(to))
      else expect(text.slice(from, to)).toBe(wanted)
    },
  )

  it.each(lines)('%s is answered by the local platform', line => {
    const { route, access } = endpoints.find(one => lineOf(one) === line)!
    const endpoint = { route, access } as DeclaredEndpoint
    expect([...servedAt('2.8.18', endpoint), ...servedAt('2026', endpoint)]).not.toEqual([])
  })
})
