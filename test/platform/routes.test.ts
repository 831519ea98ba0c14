import * as auth from '../../src/auth/endpoints'
import { servedRoutes } from '../../src/platform/routes'
import * as currentUser from '../../src/resources/current-user'
import * as project from '../../src/resources/project'
import * as session from '../../src/session/endpoints'

const definitions = [auth, session, currentUser, project].flatMap(module => Object.values(module) as unknown[])

/** Parameters by place: their names are each side's own. */
function addressOf(route: string): string {
  return route.replace(/\{\w+\}/g, '{}')
}

function routeOf(definition: unknown): string[] {
  if ((typeof definition !== 'object' && typeof definition !== 'function') || definition === null) return []
  const { route, endpoint } = definition as { readonly route?: string; readonly endpoint?: { readonly route: string } }
  return [route ?? endpoint?.route].filter(found => found !== undefined)
}

const declared = [...new Set(definitions.flatMap(routeOf))]

describe('the routes', () => {
  it('are found in the declarations', () => expect(declared).toContain('PATCH /users/me'))

  it.each(declared)('include %s', route => {
    expect(servedRoutes().map(addressOf)).toContain(addressOf(route))
  })

  it('are each listed once', () => {
    expect(new Set(servedRoutes()).size).toBe(servedRoutes().length)
  })
})
