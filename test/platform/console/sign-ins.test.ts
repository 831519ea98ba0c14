import { createAdminApp } from 'rxauth/admin'
import { createClientApp, createOwnedProject, memoryTokens, ownedProjects$ } from 'rxauth'
import { ada, wireWorld } from '../wire-world'
import { askLocal } from './local-world'

const tokensIn = ({ accessToken, refreshToken }: { accessToken: string; refreshToken: string }) => ({
  accessToken,
  refreshToken,
})

describe("the console's session", () => {
  it.each(['2.8.18', '2026'] as const)('manages every project, also later ones, on %s', async wire => {
    const { platform } = wireWorld({ wire })
    const { status, body } = await askLocal(platform, 'POST /session', {})
    expect(status).toBe(201)
    const owner = createClientApp({ ...platform.ownerOptions, tokens: memoryTokens(tokensIn(body)) })
    const names = async () => (await ownedProjects$(owner).get({ maxAgeMillis: 0 })).map(project => project.id)
    expect(await names()).toEqual([platform.options.projectId])
    const other = await createOwnedProject(owner, { displayName: 'Shop' })
    const again = await askLocal(platform, 'POST /session', {})
    const later = createClientApp({ ...platform.ownerOptions, tokens: memoryTokens(tokensIn(again.body)) })
    expect((await ownedProjects$(later).get()).map(({ id }) => id)).toEqual([other.id, platform.options.projectId])
    const admin = createAdminApp({ owner: later, projectId: platform.options.projectId })
    expect((await admin.users$({}).get()).items.map(user => user.primaryEmail)).toEqual([ada.email])
    for (const app of [owner, later, admin]) app.dispose()
  })

  it('is one of ten at most', async () => {
    const { platform } = wireWorld()
    const first = (await askLocal(platform, 'POST /session', {})).body
    for (let count = 0; count < 10; count++) await askLocal(platform, 'POST /session', {})
    const app = createClientApp({
      ...platform.ownerOptions,
      tokens: memoryTokens({ ...tokensIn(first), accessToken: null }),
    })
    expect(await app.user$.get()).toBeNull()
  })
})

describe('a link to sign in as a user', () => {
  const callbackUrl = 'http://localhost:3000/handler/magic-link-callback'

  it('signs in once, without a second factor, and leaves the user unchanged', async () => {
    const user = { ...ada, verified: false, totpSecret: 'c2VjcmV0IHNlY3JldCBzZWM=' }
    const { platform } = wireWorld({ seed: { users: [user] } })
    const { projectId } = platform.options
    const link = await askLocal(platform, 'POST /sign-in-links', { projectId, userId: ada.id, callbackUrl })
    expect(link.status).toBe(201)
    const url = new URL(link.body.url)
    expect(url.origin + url.pathname).toBe(callbackUrl)
    const code = url.searchParams.get('code')!
    const app = createClientApp({ ...platform.options, tokens: memoryTokens() })
    expect(await app.signInWithMagicLink({ code })).toMatchObject({ ok: true, value: { isNewUser: false } })
    expect(await app.user$.get()).toMatchObject({ id: ada.id, primaryEmailVerified: false })
    const again = await app.signInWithMagicLink({ code })
    expect(again.ok ? null : again.error.code).toBe('VERIFICATION_CODE_ALREADY_USED')
    app.dispose()
  })

  it('needs a trusted target and an existing user', async () => {
    const { platform } = wireWorld()
    const { projectId } = platform.options
    const ask = (changes: object) =>
      askLocal(platform, 'POST /sign-in-links', { projectId, userId: ada.id, callbackUrl, ...changes })
    expect((await ask({ callbackUrl: 'https://evil.example/x' })).status).toBe(400)
    expect((await ask({ callbackUrl: 'javascript:alert(1)' })).status).toBe(400)
    expect((await ask({ userId: 'unknown' })).status).toBe(404)
    expect((await ask({ projectId: 'nothing' })).status).toBe(404)
  })
})
