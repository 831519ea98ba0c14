import { newProjectConfig, type ProjectConfig } from '../../../src/platform/model/projects'
import { newer, projectId } from '../world-2026'
import type { World } from '../wire-world'

type Json = Readonly<Record<string, unknown>>

const rendered = async ({ ask }: World) =>
  JSON.parse((await ask('GET /internal/config', { access: 'admin' })).body.config_string as string) as Record<
    string,
    Json
  >

/** The data of a new platform as an older version stored it: settings in the flat form, permissions in a table. */
async function olderData(config: Partial<ProjectConfig>, more: object = {}): Promise<object> {
  const { platform } = newer()
  await platform.seed({})
  const { shared, projects } = platform.snapshot() as {
    readonly shared: { readonly projects: readonly Json[] }
    readonly projects: Readonly<Record<string, Json>>
  }
  const rows = shared.projects.map(row => ({ ...row, config: { ...newProjectConfig, ...config }, ...more }))
  const permissionDefinitions = [
    { id: 'team_admin', scope: 'team', description: null, containedIds: ['$read_members'] },
    { id: 'look', scope: 'project', description: 'Looks', containedIds: [] },
  ]
  const own = { ...projects[projectId], permissionDefinitions }
  return { shared: { ...shared, projects: rows }, projects: { ...projects, [projectId]: own } }
}

// Promise: config-kept
describe('the data of an older version', () => {
  const domains = [{ domain: 'https://a.example.com', handlerPath: '/h' }]

  it('have the settings and the permissions that they had', async () => {
    const world = newer()
    world.platform.restore(await olderData({ domains, passkeyEnabled: true, signUpEnabled: false }))
    const { auth, domains: stored, rbac } = await rendered(world)
    expect(auth).toMatchObject({ allowSignUp: false, passkey: { allowSignIn: true }, otp: { allowSignIn: false } })
    expect(stored).toEqual({
      allowLocalhost: true,
      trustedDomains: { 'a-example-com': { baseUrl: 'https://a.example.com', handlerPath: '/h' } },
    })
    expect(rbac?.['permissions']).toEqual({
      look: { scope: 'project', description: 'Looks', containedPermissionIds: {} },
      team_admin: { scope: 'team', containedPermissionIds: { $read_members: true } },
    })
    const { body } = await world.ask('GET /projects/current')
    expect(body.config).toMatchObject({ sign_up_enabled: false, passkey_enabled: true })
  })

  it('keep their overrides, with what other calls have changed since', async () => {
    const main = { baseUrl: 'https://a.example.com', handlerPath: '/h' }
    const configOverrides = {
      ...{ project: {}, branch: { 'payments.products.pro': { displayName: 'Pro' } } },
      environment: { 'domains.trustedDomains.main': main },
    }
    const selectedThemeId = 'c7e2d94f-8a1b-4e6d-b3f5-9d0a2e7c1b8f'
    const world = newer()
    world.platform.restore(await olderData({ domains, magicLinkEnabled: true }, { configOverrides, selectedThemeId }))
    const { auth, domains: stored, payments, emails } = await rendered(world)
    expect(auth).toMatchObject({ otp: { allowSignIn: true } })
    expect(stored?.['trustedDomains']).toEqual({ main })
    expect([payments?.['products'], emails?.['selectedThemeId']]).toEqual([
      { pro: { displayName: 'Pro' } },
      selectedThemeId,
    ])
  })
})

// Promise: config-kept
it('a trusted domain keeps its id when an older call changes its other fields', async () => {
  const world = newer()
  const change = (domains: readonly object[]) =>
    world.ask('PATCH /internal/projects/current', { access: 'admin', body: { config: { domains } } })
  const main = { baseUrl: 'https://a.example.com', handlerPath: '/h' }
  const config_override_string = JSON.stringify({ 'domains.trustedDomains.main': main })
  await world.ask('PATCH /internal/config/override/environment', { access: 'admin', body: { config_override_string } })
  await change([
    { domain: 'https://b.example.com', handler_path: '/h' },
    { domain: 'https://a.example.com', handler_path: '/other' },
  ])
  const { domains } = await rendered(world)
  expect(domains?.['trustedDomains']).toEqual({
    main: { baseUrl: 'https://a.example.com', handlerPath: '/other' },
    'b-example-com': { baseUrl: 'https://b.example.com', handlerPath: '/h' },
  })
})
