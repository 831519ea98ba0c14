import { createClientApp, memoryTokens, record, type ClientApp, type Recording } from 'rxauth'
import { createPlatform, virtualClock, type Platform } from 'rxauth/platform'
import { totpCode } from '../../../src/core/totp'
import { codeIn } from '../../flows/way'

type VirtualClock = ReturnType<typeof virtualClock>

const callbackUrl = 'http://localhost:3000/handler/callback'
const hostname = 'localhost'
export const faults = [
  { status: 503 },
  { status: 429, retryAfter: '2' },
  { loseResponse: true },
  { body: 'garbage' },
  { body: 'truncated' },
  { body: 'wrong-code' },
  { delayMillis: 700 },
  { delayMillis: 40_000 },
] as const

/** A platform for these sessions: every other one rotates refresh tokens. */
export function platformOptions(seed: number) {
  const config = { magicLinkEnabled: true, passkeyEnabled: true, clientTeamCreationEnabled: true }
  return { rotation: seed % 2 === 0, seed: { project: { config } } }
}

function open(seed: number) {
  const clock = virtualClock(undefined, { seed })
  const platform = createPlatform({ clock, ...platformOptions(seed) })
  const app = createClientApp({ ...platform.options, tokens: memoryTokens(), onUnhandled: () => undefined })
  return { app, ...personOf(clock, platform, [app]) }
}

/** What a user of these apps does, and the secrets that come up meanwhile. */
export function personOf(clock: VirtualClock, platform: Platform, apps: readonly ClientApp[]) {
  const secrets = new Set([platform.options.publishableClientKey, password, 'hunter22'])
  const keep = (...texts: (string | null | undefined)[]) => {
    for (const text of texts) if (text) secrets.add(text)
  }
  for (const app of apps) app.tokens$.subscribe(tokens => keep(tokens?.accessToken, tokens?.refreshToken))
  platform.mail$.subscribe(mail => keep(mail.to, mail.code, codeIn(mail)))
  return { clock, platform, secrets, keep, device: platform.authenticator(), email: '', teamId: '' }
}

export type Person = ReturnType<typeof personOf>

export const password = 'correct horse battery'

/** The actions of a user, in any order; they may fail. */
export const actions: readonly ((one: Person, app: ClientApp) => unknown)[] = [
  (one, app) => {
    one.email = `person-${one.secrets.size}@example.com`
    one.keep(one.email)
    return app.signUpWithPassword({ email: one.email, password, verificationCallbackUrl: callbackUrl })
  },
  (one, app) => app.signInWithPassword({ email: one.email, password }),
  (one, app) => app.signInWithPassword({ email: one.email, password }),
  (one, app) => app.signInWithPassword({ email: one.email, password: `hunter22 ${password}` }),
  (one, app) => app.sendMagicLinkEmail({ email: one.email, callbackUrl }),
  async (one, app) => {
    const mail = one.platform.mailbox(one.email).messages.at(-1)
    if (mail) await app.signInWithMagicLink({ code: codeIn(mail) })
  },
  async (one, app) => {
    const mail = one.platform.mailbox(one.email).messages.at(-1)
    if (mail) await app.verifyEmail({ code: codeIn(mail) })
  },
  (one, app) => app.updateUser({ displayName: `reach me at ${one.email}` }),
  (one, app) => app.updateUser({ clientMetadata: { [one.email]: [one.email, 4242424242] } }),
  async (one, app) => {
    const { id } = await app.createTeam({ displayName: `the secret team of ${one.email}` })
    one.teamId = id
  },
  (one, app) => app.updateTeam({ teamId: one.teamId, displayName: `renamed by ${one.email}` }),
  (one, app) => app.leaveTeam({ teamId: one.teamId }),
  (one, app) => app.createContactChannel({ value: `other-${one.email}`, usedForAuth: false }),
  async (one, app) => {
    const { value } = await app.createUserApiKey({ description: `key of ${one.email}` })
    one.keep(value)
  },
  (one, app) => app.registerPasskey({ hostname, authenticator: one.device }),
  (one, app) => app.signInWithPasskey({ hostname, authenticator: one.device }),
  async (one, app) => {
    const { secret, base32 } = await app.startTotpEnrolment()
    one.keep(base32)
    await app.enableTotp({ secret, totp: await totpCode(secret, one.clock.now()) })
  },
  (_, app) => app.continueSignIn({ totp: '000000' }),
  (_, app) => app.accessToken(),
  (_, app) => app.user$.refresh(),
  (_, app) => app.sessions$.get(),
  (_, app) => app.signUpAnonymously(),
  (_, app) => app.signOut(),
  (_, app) => app.deleteUser(),
]

/** What a page shows meanwhile. */
export const views: readonly ((one: Person, app: ClientApp) => () => void)[] = [
  (_, app) => watched(app.auth$),
  (_, app) => watched(app.user$),
  (_, app) => watched(app.teams$),
  (_, app) => watched(app.contactChannels$),
  (_, app) => watched(app.sessions$),
  (_, app) => watched(app.userApiKeys$),
  (_, app) => watched(app.project$),
  (_, app) => watched(app.notificationPreferences$),
  (one, app) => watched(app.team$({ teamId: one.teamId })),
  (one, app) => watched(app.teamMembers$({ teamId: one.teamId })),
]

function watched(source$: { subscribe(observer: object): { unsubscribe(): void } }): () => void {
  const subscription = source$.subscribe({ error: () => undefined })
  return () => {
    subscription.unsubscribe()
  }
}

export interface RecordedSession {
  readonly recording: Recording
  /** Every secret text of the session. */
  readonly secrets: ReadonlySet<string>
}

/** A session in which a user does anything, the platform fails at random, and the clock is set; recorded from some step on. */
export async function recordedSession(seed: number, length = 16): Promise<RecordedSession> {
  const one = open(seed)
  const { app, clock, platform } = one
  const { random } = virtualClock(undefined, { seed: seed * 7919 })
  const upTo = (limit: number) => Math.floor(random() * limit)
  const leaves: (() => void)[] = []
  const act = (action: (one: Person, app: ClientApp) => unknown) => {
    // Some actions throw at once: they have no team yet.
    void (async () => action(one, app))().catch(() => undefined)
  }
  if (upTo(3) > 0) {
    act(actions[0]!)
    await clock.advance(2000)
  }
  if (upTo(2) > 0) leaves.push(views[0]!(one, app))
  await clock.advance(upTo(4000))
  const recording = record(app)
  const leavesOften = seed % 5 === 0
  for (let step = 0; step < length; step++) {
    if (upTo(4) === 0) platform.faults.next('*', faults[upTo(faults.length)]!)
    if (upTo(3) === 0) leaves.push(views[upTo(views.length)]!(one, app))
    if (upTo(8) === 0) leaves.splice(upTo(leaves.length), 1)[0]?.()
    if (upTo(20) === 0) clock.shiftWall(upTo(2) ? 7_200_000 : -3_600_000)
    if (leavesOften && upTo(2) === 0) await signOutMeanwhile(clock, app, app, upTo(6))
    act(actions[upTo(actions.length)]!)
    await clock.advance([0, 1, 250, 3000, 30_000, 620_000][upTo(6)]!)
  }
  // The last actions may be under way.
  await clock.advance(upTo(2) * 60_000)
  const recorded = await recording.stop()
  app.dispose()
  platform.dispose()
  return { recording: recorded, secrets: one.secrets }
}

/** An app signs out while another one, or itself, asks for a new access token. */
export async function signOutMeanwhile(
  clock: VirtualClock,
  refreshing: ClientApp,
  leaving: ClientApp,
  kind: number,
): Promise<void> {
  clock.shiftWall(620_000)
  ignored(refreshing.accessToken())
  await clock.advance([0, 1, 10, 40, 100, 300][kind]!)
  ignored(leaving.signOut())
}

function ignored(call: Promise<unknown>): void {
  call.catch(() => undefined)
}
