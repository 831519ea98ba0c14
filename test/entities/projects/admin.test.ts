import { ownedProjects$ } from 'rxauth'
import { createAdminApp, updateProject, type ProjectChanges } from 'rxauth/admin'
import { ownerWorld } from '../../kit/admin-world'
import { emailConfig as email } from '../../mail-server'
import { ada, grace } from '../../world'
import { adminWorld } from '../admin-world'

const github = { id: 'github', type: 'standard' as const, clientId: 'Iv1', clientSecret: 'a provider secret' }

/** Every field, each with another value than in a new project. */
const everything = {
  displayName: 'Shop',
  description: 'Sells things',
  isProductionMode: true,
  config: {
    signUpEnabled: false,
    credentialEnabled: false,
    magicLinkEnabled: true,
    passkeyEnabled: true,
    clientTeamCreationEnabled: true,
    clientUserDeletionEnabled: true,
    allowUserApiKeys: true,
    allowTeamApiKeys: true,
    allowLocalhost: false,
    createTeamOnSignUp: true,
    oauthProviders: [
      { ...github, facebookConfigId: 'fb-1', microsoftTenantId: 'tenant-1' },
      { id: 'google', type: 'shared' as const },
    ],
    domains: [{ domain: 'https://shop.example.com', handlerPath: '/auth' }],
    emailConfig: email,
    emailTheme: 'default-dark',
    teamCreatorDefaultPermissions: [{ id: 'sell' }],
    teamMemberDefaultPermissions: [{ id: 'buy' }],
    userDefaultPermissions: [{ id: 'look' }],
    oauthAccountMergeStrategy: 'raise_error' as const,
  },
} satisfies ProjectChanges

/** The part of a schema that lists its fields. */
interface Declared {
  readonly entries?: Readonly<Record<string, Declared>>
  readonly item?: Declared
  readonly wrapped?: Declared
  readonly isNewer?: true
}

/** `config.domains.domain`: the fields within an object or a list, merged over its items. */
function declaredFields({ entries, item, wrapped, isNewer }: Declared, path: readonly string[] = []): string[] {
  // Those are tried on the newer wire, below.
  if (isNewer) return []
  const inner = item ?? wrapped
  if (inner) return declaredFields(inner, path)
  if (!entries) return [path.join('.')]
  return Object.entries(entries).flatMap(([name, field]) => declaredFields(field, [...path, name]))
}

function fieldsIn(value: unknown, path: readonly string[] = []): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap(item => fieldsIn(item, path)))]
  if (typeof value !== 'object' || value === null) return [path.join('.')]
  return Object.entries(value).flatMap(([name, field]) => fieldsIn(field, [...path, name]))
}

function onTheWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(onTheWire)
  if (typeof value !== 'object' || value === null) return value
  const named = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [named(name), onTheWire(field)]))
}

describe('a change of the project', () => {
  it('reaches every field that is declared: shown at once, sent as on the wire, and kept', async () => {
    const { admin, platform, clock, bodies, inTime } = await adminWorld()
    expect(fieldsIn(everything).sort()).toEqual(declaredFields(updateProject.endpoint?.input as Declared).sort())
    const scopes = { sell: 'team', buy: 'team', look: 'project' } as const
    await platform.seed({ permissions: Object.entries(scopes).map(([id, scope]) => ({ id, scope })) })
    admin.adminProject$.subscribe()
    const before = await inTime(admin.adminProject$.get())
    const expected = {
      ...before,
      ...everything,
      config: { ...before.config, ...everything.config, enabledOauthProviders: [{ id: 'github' }, { id: 'google' }] },
    }
    platform.faults.next('PATCH /internal/projects/current', { delayMillis: 1000 })
    const updating = admin.updateProject(everything)
    await clock.advance(0)
    expect(admin.adminProject$.snapshot).toMatchObject({ unconfirmed: 1, value: expected })
    expect(await inTime(updating)).toEqual(expected)
    expect(bodies).toEqual([onTheWire(everything)])
    expect(await inTime(admin.adminProject$.refresh())).toEqual(expected)
    for (const [name, value] of Object.entries(everything.config))
      expect([name, before.config[name as keyof typeof before.config]]).not.toEqual([name, value])
  })

  // Promise: project-logos
  it('reaches the logos and the onboarding, which newer releases have; what it leaves out stays', async () => {
    const { admin, platform, clock, inTime } = await adminWorld({ wire: '2026', seed: { users: [ada, grace] } })
    const logos = ['logoUrl', 'logoFullUrl', 'logoDarkModeUrl', 'logoFullDarkModeUrl']
    const looks = {
      onboardingStatus: 'config_choice',
      ...Object.fromEntries(logos.map(name => [name, `https://shop.example.com/${name}.png`])),
    }
    admin.adminProject$.subscribe()
    const before = await inTime(admin.adminProject$.get())
    expect(before).toMatchObject({ onboardingStatus: 'completed', logoUrl: null, ownerTeamId: null })
    platform.faults.next('PATCH /internal/projects/current', { delayMillis: 1000 })
    const updating = admin.updateProject(looks)
    await clock.advance(0)
    expect(admin.adminProject$.snapshot).toMatchObject({ unconfirmed: 1, value: looks })
    expect(await inTime(updating)).toEqual({ ...before, ...looks })
    await inTime(admin.updateProject({ logoUrl: null }))
    expect(await inTime(admin.adminProject$.refresh())).toEqual({ ...before, ...looks, logoUrl: null })
  })

  // Promise: update-keeps-fields
  it('keeps what the platform would reset: localhost stays forbidden', async () => {
    const { admin, bodies, inTime } = await adminWorld()
    await inTime(admin.updateProject({ config: { allowLocalhost: false } }))
    await inTime(admin.updateProject({ displayName: 'Shop' }))
    await inTime(admin.updateProject({ config: { passkeyEnabled: true } }))
    expect(bodies).toEqual([
      { config: { allow_localhost: false } },
      { display_name: 'Shop', config: { allow_localhost: false } },
      { config: { passkey_enabled: true, allow_localhost: false } },
    ])
    const { config } = await inTime(admin.adminProject$.get())
    expect(config).toMatchObject({ allowLocalhost: false, passkeyEnabled: true })
  })

  it('keeps what another admin has forbidden in the meantime', async () => {
    const { admin, platform, inTime } = await adminWorld()
    await inTime(admin.adminProject$.get())
    admin.adminProject$.subscribe()
    await inTime(createAdminApp(platform.adminOptions).updateProject({ config: { allowLocalhost: false } }))
    await inTime(admin.updateProject({ displayName: 'Shop' }))
    expect(await inTime(admin.adminProject$.refresh())).toMatchObject({ config: { allowLocalhost: false } })
  })

  it('sends only the type of a shared provider and a shared mail server', async () => {
    const { admin, bodies, inTime } = await adminWorld()
    const type = 'shared' as const
    const config = { allowLocalhost: true, oauthProviders: [{ ...github, type }], emailConfig: { ...email, type } }
    await inTime(admin.updateProject({ config }))
    const sent = { allow_localhost: true, oauth_providers: [{ id: 'github', type }], email_config: { type } }
    expect(bodies).toEqual([{ config: sent }])
  })

  const google = { id: 'google', type: 'shared' } as const
  const secretless = { oauthProviders: [google, { ...github, clientSecret: undefined }] }
  const handled = (...domains: string[]) => ({ domains: domains.map(domain => ({ domain, handlerPath: '/handler' })) })
  // Promise: domain-wildcards
  it.each<[field: string, config: ProjectChanges['config']]>([
    ['config.emailConfig.host', { emailConfig: { ...email, host: '' } }],
    ['config.emailConfig.port', { emailConfig: { ...email, port: undefined } }],
    ['config.emailConfig.username', { emailConfig: { ...email, username: undefined } }],
    ['config.emailConfig.password', { emailConfig: { ...email, password: '' } }],
    ['config.emailConfig.senderName', { emailConfig: { ...email, senderName: undefined } }],
    ['config.emailConfig.senderEmail', { emailConfig: { ...email, senderEmail: '' } }],
    ['config.oauthProviders.0.clientId', { oauthProviders: [{ ...github, clientId: '' }] }],
    ['config.oauthProviders.1.clientSecret', secretless],
    ...[
      'shop.example.com',
      'localhost:3000',
      '//shop.example.com',
      'javascript:alert(1)',
      'https://',
      '',
      'https://shop.example.com:4*',
      'https://shop.example.com:**',
      'https://*:*:*',
      'https://user@shop.example.com',
      'https://user:password@shop.example.com:*',
      'https://shop.example.com:*@evil.example',
      'https://shop.example.com/*',
      'https://shop.example.com/a:*',
      'https://shop.example.com?a=*',
      'https://shop.example.com#*',
    ].map(
      domain =>
        ['config.domains.1.domain', handled('https://*.example.com', domain)] as [string, ProjectChanges['config']],
    ),
  ])('that lacks %s, or has no valid one, sends nothing, and names the field: %j', async (field, config) => {
    const { admin, requests, inTime } = await adminWorld()
    requests.length = 0
    const error: unknown = await inTime(admin.updateProject({ config })).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'INVALID_INPUT', details: { field } })
    expect(String(error)).not.toMatch(/a mail password|a provider secret/)
    expect(requests).toEqual([])
  })

  it('can be aborted while the present state loads', async () => {
    const { admin, requests, settled } = await adminWorld()
    const controller = new AbortController()
    const updating = admin.updateProject({ displayName: 'Shop' }, { signal: controller.signal })
    controller.abort()
    await expect(settled(updating)).rejects.toMatchObject({ code: 'ABORTED' })
    expect(requests).not.toContain('PATCH /internal/projects/current')
  })
})

// Promise: deleted-project
it('after the project is deleted, its data is dropped and every store of its kit fails', async () => {
  const { admin, platform, clock, inTime } = await adminWorld()
  const shown: unknown[] = []
  admin.adminProject$.snapshot$.subscribe(snapshot =>
    shown.push(snapshot.status === 'failed' ? snapshot.error.code : snapshot.status),
  )
  await inTime(admin.adminProject$.get())
  const users = await inTime(admin.users$().get())
  expect(users.items).toHaveLength(2)
  platform.faults.next('GET /users', { delayMillis: 5000 })
  const loading = admin.users$().refresh()
  loading.catch(() => undefined)
  await clock.advance(1000)
  shown.length = 0
  await inTime(admin.deleteProject())
  await expect(loading).rejects.toMatchObject({ code: 'DISPOSED' })
  await clock.advance(1000)
  expect(shown).toEqual(['pending', 'INVALID_SUPER_SECRET_ADMIN_KEY'])
  // Not the list from five seconds before.
  await expect(inTime(admin.users$().get())).rejects.toMatchObject({ code: 'INVALID_SECRET_SERVER_KEY' })
})

describe('a deletion of the project is done although its answer was lost', () => {
  it('where the platform then knows no such project', async () => {
    const { admin, platform, inTime } = await adminWorld({ wire: '2026' })
    platform.faults.next('DELETE /internal/projects/current', { loseResponse: true })
    await expect(inTime(admin.deleteProject())).resolves.toBeUndefined()
    // Without a lost answer the project may be a mistake.
    await expect(inTime(admin.deleteProject())).rejects.toMatchObject({ code: 'CURRENT_PROJECT_NOT_FOUND' })
  })

  it('where the platform then refuses the key, which it had accepted before', async () => {
    const { admin, platform, inTime } = await adminWorld()
    platform.faults.next('DELETE /internal/projects/current', { loseResponse: true })
    await expect(inTime(admin.deleteProject())).resolves.toBeUndefined()
    platform.faults.next('DELETE /internal/projects/current', { loseResponse: true })
    await expect(inTime(admin.deleteProject())).rejects.toMatchObject({ code: 'INVALID_SUPER_SECRET_ADMIN_KEY' })
  })

  it('where the platform then refuses the token of its owner, whose list has it no longer', async () => {
    const { admin, owner, platform, inTime } = await ownerWorld()
    const shown: unknown[] = []
    ownedProjects$(owner).subscribe(projects => shown.push(projects.map(({ displayName }) => displayName)))
    await inTime(ownedProjects$(owner).get())
    platform.faults.next('DELETE /internal/projects/current', { loseResponse: true })
    await expect(inTime(admin.deleteProject())).resolves.toBeUndefined()
    expect(shown).toEqual([['Shop'], []])
  })
})
