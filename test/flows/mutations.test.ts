import { createClientApp, memoryTokens } from 'rxauth'
import type { ClientApp, CurrentUser } from 'rxauth'
import { createPlatform, totpCode, virtualClock } from 'rxauth/platform'
import type { Platform } from 'rxauth/platform'
import { ada, grace } from '../world'
import { codeIn } from './way'

const clock = virtualClock()
const callbackUrl = 'http://localhost:3000/handler/callback'
const bare = { email: 'bare@example.com', verified: true }

interface Stage {
  readonly app: ClientApp
  readonly platform: Platform
}
type Seen = CurrentUser | null | undefined

interface Write {
  /** Who is signed in; null: nobody. */
  readonly as: string | null
  /** What has to be there first. */
  readonly prepare?: (stage: Stage) => Promise<unknown>
  readonly write: (stage: Stage, prepared: never) => Promise<unknown>
  /** What the last value of `anyUser$` says when the promise has resolved. */
  readonly shows: (user: Seen, stage: Stage) => unknown
}

const verificationCallbackUrl = callbackUrl
const code = async ({ platform }: Stage, email: string) => codeIn(await platform.mailbox(email).next())
const device = ({ platform }: Stage) => ({ hostname: 'localhost', authenticator: platform.authenticator() })
const isAda = (user: Seen) => user?.primaryEmail === ada.email

/** Every function of an app that changes what is known of the user, with what it changes. */
const writes: Readonly<Record<string, Write>> = {
  updateUser: {
    as: ada.email,
    write: ({ app }) => app.updateUser({ displayName: 'Countess', clientMetadata: { theme: 'dark' } }),
    shows: user => user?.displayName === 'Countess' && JSON.stringify(user.clientMetadata) === '{"theme":"dark"}',
  },
  deleteUser: { as: ada.email, write: ({ app }) => app.deleteUser(), shows: user => user === null },
  signOut: { as: ada.email, write: ({ app }) => app.signOut(), shows: user => user === null },
  setPassword: {
    as: bare.email,
    write: ({ app }) => app.setPassword({ password: 'battery staple' }),
    shows: user => user?.hasPassword,
  },
  verifyEmail: {
    as: ada.email,
    async prepare(stage) {
      await stage.app.sendVerificationEmail({ callbackUrl })
      return code(stage, ada.email)
    },
    write: ({ app }, text: string) => app.verifyEmail({ code: text }),
    shows: user => user?.primaryEmailVerified,
  },
  resetPassword: {
    as: bare.email,
    async prepare(stage) {
      await stage.app.sendPasswordResetEmail({ email: bare.email, callbackUrl })
      return code(stage, bare.email)
    },
    write: ({ app }, text: string) => app.resetPassword({ code: text, password: 'battery staple' }),
    // The new password has ended every session.
    shows: user => user === null,
  },
  enableTotp: {
    as: ada.email,
    prepare: ({ app }) => app.startTotpEnrolment(),
    write: async ({ app }, { secret }: { secret: Uint8Array }) =>
      app.enableTotp({ secret, totp: await totpCode(secret, clock.now()) }),
    shows: user => user?.requiresTotpMfa,
  },
  disableTotp: {
    as: ada.email,
    prepare: ({ app }) => app.updateUser({ totpSecretBase64: btoa('twenty bytes, secret') }),
    write: ({ app }) => app.disableTotp(),
    shows: user => user?.requiresTotpMfa === false,
  },
  registerPasskey: {
    as: ada.email,
    write: stage => stage.app.registerPasskey(device(stage)),
    shows: user => user?.passkeyAuthEnabled,
  },
  signInWithPassword: {
    as: grace.email,
    write: ({ app }) => app.signInWithPassword({ email: ada.email, password: ada.password }),
    shows: isAda,
  },
  signUpWithPassword: {
    as: grace.email,
    write: ({ app }) =>
      app.signUpWithPassword({ email: 'new@example.com', password: 'battery staple', verificationCallbackUrl }),
    shows: user => user?.primaryEmail === 'new@example.com',
  },
  signUpAnonymously: { as: null, write: ({ app }) => app.signUpAnonymously(), shows: user => user?.isAnonymous },
  signInWithMagicLink: {
    as: grace.email,
    async prepare(stage) {
      await stage.app.sendMagicLinkEmail({ email: bare.email, callbackUrl })
      return code(stage, bare.email)
    },
    write: ({ app }, text: string) => app.signInWithMagicLink({ code: text }),
    shows: user => user?.primaryEmail === bare.email,
  },
  signInWithPasskey: {
    as: grace.email,
    async prepare(stage) {
      const { platform } = stage
      const input = device(stage)
      const owner = createClientApp({ ...platform.options, tokens: await platform.tokensFor(ada.email) })
      await owner.registerPasskey(input)
      return input
    },
    write: ({ app }, input: ReturnType<typeof device>) => app.signInWithPasskey(input),
    shows: isAda,
  },
  continueSignIn: {
    as: grace.email,
    async prepare({ app, platform }) {
      const secret = new TextEncoder().encode('twenty bytes, secret')
      const owner = createClientApp({ ...platform.options, tokens: await platform.tokensFor(ada.email) })
      await owner.updateUser({ totpSecretBase64: btoa('twenty bytes, secret') })
      await app.signInWithPassword({ email: ada.email, password: ada.password })
      return totpCode(secret, clock.now())
    },
    write: ({ app }, totp: string) => app.continueSignIn({ totp }),
    shows: isAda,
  },
}

/** What asks, mails or goes somewhere; what leaves the page, which oauth.test.ts and cli.test.ts do; what changes sessions. */
const others = [
  /^redirectTo|^check|^send|\$$/,
  /^(can|navigateAfterAuth|accessToken|authHeaders|inspect|startTotpEnrolment|derive|dispose)$/,
  /OAuth|^connect|Cli/,
  /^(revokeSession|updatePassword)$|ContactChannel|[Tt]eam|ApiKey|NotificationPreference|OwnedProject/,
]

async function stageOf(as: string | null): Promise<Stage> {
  const config = { magicLinkEnabled: true, passkeyEnabled: true, clientUserDeletionEnabled: true }
  const platform = createPlatform({ clock, seed: { project: { config }, users: [ada, grace, bare] } })
  const tokens = as === null ? memoryTokens() : await platform.tokensFor(as)
  return { platform, app: createClientApp({ ...platform.options, tokens }) }
}

it('every function of an app is looked at', async () => {
  const { app } = await stageOf(null)
  const functions = Object.entries(app).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []))
  const left = functions.filter(name => !(name in writes) && !others.some(pattern => pattern.test(name)))
  expect(left).toEqual([])
})

describe('when its promise resolves, every subscriber has been told what it has changed', () => {
  it.each(Object.entries(writes))('%s', async (_, { as, prepare, write, shows }) => {
    const stage = await stageOf(as)
    const { app } = stage
    const told: Record<string, Seen> = {}
    app.anyUser$.subscribe(user => (told['anyUser$'] = user))
    app.auth$.subscribe(
      auth => (told['auth$'] = 'user' in auth ? auth.user : auth.phase === 'unknown' ? undefined : null),
    )
    app.anyUser$.listen(() => (told['listen'] = valueOf(app)))
    app.derive(read => read(app.anyUser$)).subscribe(user => (told['derived'] = user))
    await clock.advance(1000)
    const prepared = (await prepare?.(stage)) as never
    await clock.advance(1000)
    expect(Boolean(shows(told['anyUser$'], stage))).toBe(false)
    let atTheEnd: Record<string, Seen> = {}
    let outcome: unknown
    let isDone = false
    const written = write(stage, prepared)
      .then(result => {
        outcome = result
        atTheEnd = { ...told }
      })
      .finally(() => (isDone = true))
    while (!isDone) await clock.advance(100)
    await written
    expect([outcome]).not.toEqual([expect.objectContaining({ ok: false })])
    for (const [where, user] of Object.entries(atTheEnd))
      expect([where, Boolean(shows(user, stage))]).toEqual([where, true])
    expect(Object.keys(atTheEnd)).toHaveLength(4)
    app.dispose()
  })

  it.each<[name: string, write: (app: ClientApp) => Promise<unknown>]>([
    [
      'revokeSession',
      async app => {
        for (const { id, isCurrentSession } of await app.sessions$.get())
          if (!isCurrentSession) await app.revokeSession({ sessionId: id })
      },
    ],
    ['updatePassword', app => app.updatePassword({ oldPassword: ada.password, newPassword: 'battery staple' })],
  ])('%s', async (_, write) => {
    const { app, platform } = await stageOf(ada.email)
    await platform.tokensFor(ada.email)
    let count = 0
    app.sessions$.subscribe(sessions => (count = sessions.length))
    await clock.advance(1000)
    expect(count).toBe(2)
    let atTheEnd: number | undefined
    void write(app).then(() => (atTheEnd = count))
    await clock.advance(1000)
    expect(atTheEnd).toBe(1)
    app.dispose()
  })
})

function valueOf(app: ClientApp): Seen {
  const { snapshot } = app.anyUser$
  return snapshot.status === 'ready' ? snapshot.value : undefined
}
