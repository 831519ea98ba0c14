import { ownedProjects$, project$ } from 'rxauth'
import type { Store } from 'rxauth'
import {
  createAdminApp,
  previewAffectedUsers,
  projectConfig$,
  projectConfigOverride$,
  projectConfigSource$,
  replaceProjectConfig,
  resetProjectConfigKeys,
  signUpRulesStats$,
  testSignUpRules,
  unlinkProjectConfigSource,
  updateProjectConfig,
} from 'rxauth/admin'
import type { AdminApp } from 'rxauth/admin'
import { branchConfigOverride$, replaceBranchConfig, updateBranchConfig } from 'rxauth/server'
import type { ServerApp } from 'rxauth/server'
import type { Wire } from 'rxauth/platform'
import { newerWires } from '../platform/world-2026'
import { ada } from '../world'
import { ways } from './way'
import type { Way } from './way'

const unverified = { email: 'grace@example.com', password: 'correct horse' }
const config = { emailConfig: { type: 'shared' as const }, clientTeamCreationEnabled: true }
const seed = { users: [{ ...ada, verified: true }, unverified], project: { config } }
const source = { type: 'pushed-from-unknown' } as const
const environment = { level: 'environment' } as const
const branch = { level: 'branch' } as const
const spam = { enabled: true, condition: 'email.endsWith("@example.org")', action: { type: 'reject', message: 'No.' } }

/** The value, or the code with which the call rejects or which it returns. */
const outcomeOf = <T>(promise: Promise<T>): Promise<unknown> =>
  promise.catch((error: unknown) => (error as { readonly code: string }).code)

describe.each(ways)('the configuration of a project, %s,', (_, open) => {
  let way: Way
  let admin: AdminApp
  let server: ServerApp
  async function start(wire: Wire) {
    way = await open({ seed, wire })
    admin = way.newAdminApp()
    server = way.newServerApp()
  }
  afterEach(() => way.close())

  /** What the stores of the admin show by now; they are loaded and subscribed to. */
  async function watched() {
    const shown: Record<string, unknown> = {}
    const stores: Readonly<Record<string, Store<unknown>>> = {
      rendered: projectConfig$(admin),
      environment: projectConfigOverride$(admin, environment),
      branch: projectConfigOverride$(admin, branch),
      source: projectConfigSource$(admin),
      admin: admin.adminProject$,
      project: project$(admin),
      team: admin.teamPermissionDefinitions$,
      users: admin.users$(),
      stats: signUpRulesStats$(admin),
    }
    for (const [name, store] of Object.entries(stores)) store.subscribe(value => (shown[name] = value))
    await Promise.all(Object.values(stores).map(store => store.get()))
    const fresh = async () => {
      const other = way.newAdminApp()
      const again: Readonly<Record<string, Store<unknown>>> = {
        rendered: projectConfig$(other),
        environment: projectConfigOverride$(other, environment),
        branch: projectConfigOverride$(other, branch),
        source: projectConfigSource$(other),
        admin: other.adminProject$,
        project: project$(other),
        team: other.teamPermissionDefinitions$,
        users: other.users$(),
        stats: signUpRulesStats$(other),
      }
      const values = Object.entries(again).map(async ([name, store]) => [name, await store.get()] as const)
      return Object.fromEntries(await Promise.all(values))
    }
    return { shown, fresh }
  }

  describe.each(newerWires)('on the wire of %s', wire => {
    beforeEach(() => start(wire))

    // Promise: project-config
    it.each<[name: string, write: (admin: AdminApp) => Promise<unknown>]>([
      [
        'updateProjectConfig',
        app =>
          updateProjectConfig(app, {
            changes: {
              'auth.passkey.allowSignIn': true,
              'auth.signUpRules.spam': spam,
              'onboarding.requireEmailVerification': true,
              'rbac.permissions.sell': { scope: 'team' },
            },
          }),
      ],
      [
        'replaceProjectConfig',
        app => replaceProjectConfig(app, { ...branch, config: { auth: { signUpRules: { spam } } }, source }),
      ],
      ['resetProjectConfigKeys', app => resetProjectConfigKeys(app, { ...environment, keys: ['teams'] })],
      ['updateProject', app => app.updateProject({ config: { passkeyEnabled: true } })],
      ['createTeamPermissionDefinition', app => app.createTeamPermissionDefinition({ id: 'sell' })],
    ])('%s is shown by every store when its promise resolves', async (name, write) => {
      const { shown, fresh } = await watched()
      const before = { ...shown }
      await write(admin)
      const atTheEnd = { ...shown }
      const loaded = await fresh()
      expect(atTheEnd).toEqual(loaded)
      expect(loaded['rendered']).not.toEqual(before['rendered'])
      if (name === 'updateProjectConfig') {
        expect(loaded['admin']).toMatchObject({ config: { passkeyEnabled: true } })
        expect(loaded['project']).toMatchObject({ config: { passkeyEnabled: true } })
        expect(loaded['team']).toContainEqual({ id: 'sell', description: null, containedPermissionIds: [] })
      }
    })

    // Promise: project-config
    it('is unlinked from its file', async () => {
      await replaceProjectConfig(admin, { ...branch, config: {}, source })
      const { shown } = await watched()
      expect(shown['source']).toEqual(source)
      await unlinkProjectConfigSource(admin)
      expect(shown['source']).toEqual({ type: 'unlinked' })
    })

    // Promise: sign-up-rules
    it('decides who may sign up, and the question says so before', async () => {
      await updateProjectConfig(admin, { changes: { 'auth.signUpRules.spam': spam } })
      const email = 'eve@example.org'
      expect((await testSignUpRules(admin, { email })).outcome).toEqual({
        shouldAllow: false,
        decision: 'reject',
        decisionRuleId: 'spam',
        restrictedBecauseOfRuleId: null,
      })
      const app = way.newApp()
      const verificationCallbackUrl = 'http://localhost:3000/verify'
      const result = await app.signUpWithPassword({ email, password: 'correct horse', verificationCallbackUrl })
      expect(result).toMatchObject({
        ok: false,
        error: { code: 'SIGN_UP_REJECTED', details: { message: expect.any(String) as string } },
      })
      expect(await signUpRulesStats$(admin).get()).toMatchObject({ total_triggers: 1 })
    })

    // Promise: sign-up-rules
    it('says whom a demand for verified addresses restricts', async () => {
      const onboarding = { requireEmailVerification: true }
      const preview = await previewAffectedUsers(admin, { onboarding, limit: 5 })
      expect(preview).toMatchObject({
        affectedUsers: [{ primaryEmail: unverified.email, restrictedReason: { type: 'email_not_verified' } }],
        totalAffectedCount: 1,
      })
      await updateProjectConfig(admin, { changes: { onboarding } })
      const app = way.newApp()
      expect(await app.signInWithPassword(unverified)).toMatchObject({ ok: true })
      expect(await app.user$.get()).toMatchObject({ restriction: { type: 'email_not_verified' } })
      expect((await previewAffectedUsers(admin, { onboarding })).totalAffectedCount).toBe(0)
    })

    // Promise: project-config
    it('is written for the branch by servers, and read there', async () => {
      const override = branchConfigOverride$(server)
      const shown: unknown[] = []
      override.subscribe(value => shown.push(value))
      await override.get()
      await updateBranchConfig(server, { changes: { 'auth.otp.allowSignIn': true } })
      expect(shown.at(-1)).toEqual({ 'auth.otp.allowSignIn': true })
      await replaceBranchConfig(server, { config: { auth: { passkey: { allowSignIn: true } } }, source })
      expect(shown.at(-1)).toEqual({ auth: { passkey: { allowSignIn: true } } })
      expect(await projectConfigSource$(admin).get()).toEqual(source)
    })

    // Promise: project-config
    it('shows in the stores of admins when a server-level call of the same kit writes it', async () => {
      const { shown, fresh } = await watched()
      await resetProjectConfigKeys(admin, { ...environment, keys: ['auth.otp.allowSignIn'] })
      await updateBranchConfig(admin, { changes: { 'auth.otp.allowSignIn': true } })
      expect({ ...shown }).toEqual(await fresh())
      expect(shown['admin']).toMatchObject({ config: { magicLinkEnabled: true } })
    })

    // Promise: project-config
    it('is not changed by a write that is refused', async () => {
      const { shown } = await watched()
      const before = { ...shown }
      const error = await updateProjectConfig(admin, { changes: { 'nonsense.key': 1 } }).catch(
        (thrown: unknown) => thrown,
      )
      expect(error).toMatchObject({ code: 'REQUEST_FAILED', status: 400 })
      expect((error as { details: { body: string } }).details.body).toContain('The key "nonsense.key" is not valid')
      expect(shown).toEqual(before)
    })

    // Promise: project-config
    it.each([
      ['PATCH /internal/config/override/{level}', 'NETWORK_ERROR'],
      ['PUT /internal/config/override/{level}', undefined],
    ])('is loaded again after %s whose answer is lost', async (route, code) => {
      const { shown, fresh } = await watched()
      way.platform.faults.next(route, { loseResponse: true })
      const write = route.startsWith('PATCH')
        ? updateProjectConfig(admin, { changes: { 'auth.passkey.allowSignIn': true } })
        : replaceProjectConfig(admin, { ...environment, config: { 'auth.passkey.allowSignIn': true } })
      expect(await outcomeOf(write)).toBe(code)
      await Promise.all([admin.adminProject$.refresh(), projectConfig$(admin).refresh()])
      expect(shown['admin']).toMatchObject({ config: { passkeyEnabled: true } })
      expect(await projectConfigOverride$(admin, environment).refresh()).toEqual((await fresh())['environment'])
    })

    // Promise: project-config
    it('is not written by a request that fails, or that is aborted', async () => {
      const changes = { 'auth.passkey.allowSignIn': true }
      way.platform.faults.next('PATCH /internal/config/override/{level}', { status: 500 })
      expect(await outcomeOf(updateProjectConfig(admin, { changes }))).toBe('REQUEST_FAILED')
      const reason = new Error('not now')
      const aborted = updateProjectConfig(admin, { changes }, { signal: AbortSignal.abort(reason) })
      await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' })
      expect(await projectConfigOverride$(admin, environment).get()).toMatchObject({
        'teams.allowClientTeamCreation': true,
        'auth.passkey.allowSignIn': false,
      })
    })
  })

  describe('on the reference wire', () => {
    beforeEach(() => start('2.8.18'))

    // Promise: project-config
    it.each<[call: string, run: (admin: AdminApp, server: ServerApp) => Promise<unknown>]>([
      ['GET /internal/config', app => projectConfig$(app).get()],
      ['GET /internal/config/override/{level}', app => projectConfigOverride$(app, branch).get()],
      ['GET /internal/config/source', app => projectConfigSource$(app).get()],
      [
        'PATCH /internal/config/override/{level}',
        app => updateProjectConfig(app, { changes: { 'auth.allowSignUp': true } }),
      ],
      ['PUT /internal/config/override/{level}', app => replaceProjectConfig(app, { ...branch, config: {}, source })],
      [
        'POST /internal/config/override/{level}/reset-keys',
        app => resetProjectConfigKeys(app, { ...branch, keys: [] }),
      ],
      ['DELETE /internal/config/source', app => unlinkProjectConfigSource(app)],
      ['GET /internal/config/override/branch', (__, app) => branchConfigOverride$(app).get()],
      [
        'PATCH /internal/config/override/branch',
        (__, app) => updateBranchConfig(app, { changes: { 'auth.allowSignUp': true } }),
      ],
      ['PUT /internal/config/override/branch', (__, app) => replaceBranchConfig(app, { config: {}, source })],
      ['POST /internal/sign-up-rules-test', app => testSignUpRules(app)],
      ['GET /internal/sign-up-rules-stats', app => signUpRulesStats$(app).get()],
      [
        'POST /internal/onboarding/preview-affected-users',
        app => previewAffectedUsers(app, { onboarding: { requireEmailVerification: true } }),
      ],
    ])('%s is NOT_ON_THIS_PLATFORM', async (call, run) => {
      await expect(run(admin, server)).rejects.toMatchObject({ code: 'NOT_ON_THIS_PLATFORM', details: { call } })
    })
  })
})

// Promise: project-config
it('a change by an owner shows in the list of projects of the owner', async () => {
  const [, open] = ways[0]!
  const way = await open({
    wire: '2026',
    seed: { project: { displayName: 'Shop' }, owners: [{ email: 'owner@example.com', password: 'correct horse' }] },
  })
  const { projectId, publishableClientKey } = way.platform.ownerOptions
  const owner = way.newApp({ projectId, publishableClientKey })
  await owner.signInWithPassword({ email: 'owner@example.com', password: 'correct horse' })
  const shown: unknown[] = []
  ownedProjects$(owner).subscribe(all => shown.push(all.map(each => each.config.passkeyEnabled)))
  const [project] = await ownedProjects$(owner).get()
  const admin = createAdminApp({ owner, projectId: project!.id })
  await updateProjectConfig(admin, { changes: { 'auth.passkey.allowSignIn': true } })
  expect(shown).toEqual([[false], [true]])
  admin.dispose()
  await way.close()
})
