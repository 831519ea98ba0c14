import * as anonymous from '../../src/auth/anonymous-endpoints'
import * as cli from '../../src/auth/cli-endpoints'
import * as emailVerification from '../../src/auth/email-verification-endpoints'
import * as auth from '../../src/auth/endpoints'
import * as magicLink from '../../src/auth/magic-link-endpoints'
import * as mfa from '../../src/auth/mfa-endpoints'
import * as oauth from '../../src/auth/oauth-endpoints'
import * as passkey from '../../src/auth/passkey-endpoints'
import * as passwordReset from '../../src/auth/password-reset-endpoints'
import { servedRoutes } from '../../src/platform/routes'
import * as currentUser from '../../src/resources/current-user'
import * as project from '../../src/resources/project'
import * as sessions from '../../src/resources/sessions-endpoints'
import * as sessionsForServers from '../../src/server/sessions-endpoints'
import * as session from '../../src/session/endpoints'

const modules = [
  ...[auth, anonymous, cli, emailVerification, magicLink, mfa, oauth, passkey, passwordReset],
  ...[session, sessions, sessionsForServers, currentUser, project],
]
const definitions = modules.flatMap(module => Object.values(module) as unknown[])

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
