import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { accessLevels } from '../../src/platform/authenticate'
import { routes } from '../../src/platform/routes'
import { splitRoute } from '../../src/transport/endpoint'
import type { Access, Endpoint } from '../../src/transport/endpoint'
import type { ErrorCode } from '../../src/errors/codes'
import { root } from './sources'

type Declared = Endpoint<Access, unknown, unknown, ErrorCode>

const folders = ['resources', 'auth', 'session', 'server', 'admin'].map(name => join(root, 'src', name))
const page = join(root, 'docs/contributing/endpoints.md')
const update = 'RXAUTH_WRITE=1 npx jest --selectProjects package -- test/package/endpoints'

const modules = folders.filter(existsSync).flatMap(folder => readdirSync(folder).map(file => join(folder, file)))
const endpoints = modules.flatMap(file => Object.values(jest.requireActual<object>(file)).flatMap(endpointsIn))
const lines = [...new Set(endpoints.map(lineOf))].sort(byPath)

/** What an export declares: it is an endpoint, or calls one. */
function endpointsIn(value: unknown): Declared[] {
  if (typeof value === 'object' && value !== null && 'route' in value && 'access' in value) return [value as Declared]
  if (typeof value === 'function' && 'endpoint' in value) return value.endpoint ? [value.endpoint as Declared] : []
  return []
}

function lineOf({ route, access }: Declared): string {
  return `${route} ${access}`
}

function byPath(left: string, right: string): number {
  const key = (line: string) => line.split(' ').slice(1).concat(line).join(' ')
  return key(left) < key(right) ? -1 : 1
}

/** Parameters go by many names. */
function pattern(route: string): string {
  const [method, path] = splitRoute(route)
  return `${method} ${path.replace(/\{\w+\}/g, '{}')}`
}

describe('the endpoints that the kit declares', () => {
  it('are found in definitions and on their own', () => {
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
    const served = routes.filter(one => pattern(one.route) === pattern(route)).map(one => one.access)
    // A route of a lower level answers the levels above it too.
    const allowed = accessLevels.slice(0, accessLevels.indexOf(access) + 1)
    expect(served.filter(level => allowed.includes(level))).not.toEqual([])
  })
})
