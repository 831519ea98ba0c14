import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { accessLevels } from '../../src/platform/http/authenticate'
import { newerRoutes, routes } from '../../src/platform/routes'
import { declaredEndpoints, patternOf } from '../declared-endpoints'
import type { DeclaredEndpoint } from '../declared-endpoints'
import { root } from './sources'

const page = join(root, 'docs/contributing/endpoints.md')
const update = 'RXAUTH_WRITE=1 npx jest --selectProjects package -- test/package/endpoints'

const endpoints = declaredEndpoints()
const lines = [...new Set(endpoints.map(lineOf))].sort(byPath)

function lineOf({ route, access }: DeclaredEndpoint): string {
  return `${route} ${access}`
}

function byPath(left: string, right: string): number {
  const key = (line: string) => line.split(' ').slice(1).concat(line).join(' ')
  return key(left) < key(right) ? -1 : 1
}

describe('the endpoints that the kit declares', () => {
  it('are found inside and outside of definitions', () => {
    expect(lines).toEqual(
      expect.arrayContaining(['GET /users/me client', 'POST /auth/oauth/token client', 'DELETE /users/me client']),
    )
  })

  it(`are those in docs/contributing/endpoints.md; to update it: ${update}`, () => {
    const text = readFileSync(page, 'utf8')
    const [before, listed, after] = text.split(/(?<=<!-- endpoints -->\n\n```text\n)|(?=```\n\n<!-- \/endpoints -->)/)
    const list = lines.map(line => `${line}\n`).join('')
    if (process.env['RXAUTH_WRITE']) writeFileSync(page, [before, list, after].join(''))
    else expect(listed).toBe(list)
  })

  it.each(lines)('%s is answered by the local platform', line => {
    const { route, access } = endpoints.find(one => lineOf(one) === line)!
    const served = [...routes, ...newerRoutes]
      .filter(one => patternOf(one.route) === patternOf(route))
      .map(one => one.access)
    // A route of a lower level answers the levels above it too.
    const allowed = accessLevels.slice(0, accessLevels.indexOf(access) + 1)
    expect(served.filter(level => allowed.includes(level))).not.toEqual([])
  })
})
