import { createClientApp, memoryTokens } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import { createServerApp, type RequestApp } from 'rxauth/server'
import { ada } from '../world'
import { requests } from './request-world'

const kindOf = (member: unknown) => (typeof member === 'object' && member ? member.constructor.name : typeof member)

describe('an app of one request', () => {
  // Promise: request-app-members
  it.each([
    ['a server app', 'server'],
    ['an admin app', 'admin'],
  ] as const)('of %s has every member of the apps that are made once', async (_what, level) => {
    const { platform, tokensOf } = await requests()
    const maker = level === 'server' ? createServerApp(platform.serverOptions) : createAdminApp(platform.adminOptions)
    const app = maker.withTokens(await tokensOf(ada)) as RequestApp & Record<string, unknown>
    const client = createClientApp({ ...platform.options, tokens: memoryTokens() })
    const once: Record<string, unknown> = { ...createServerApp(platform.serverOptions), ...client }
    const isOfServersAlone = (name: string) => ['withTokens', 'verifyAccessToken', 'level'].includes(name)
    const names = Object.keys(once).filter(name => !isOfServersAlone(name))
    expect(names.length).toBeGreaterThan(150)
    expect(names.filter(name => !(name in app) || kindOf(app[name]) !== kindOf(once[name]))).toEqual([])
    expect(app.level).toBe(level)
    expect(client.level).toBe('client')
  })
})
