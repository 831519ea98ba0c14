import { createClientApp, memoryTokens, type ClientApp, type Kit } from 'rxauth'
import { createAdminApp, createEmailDraft, createEmailTheme, createTsxEmailTemplate, type AdminApp } from 'rxauth/admin'
import { createServerApp, emailOutbox$, type RequestApp } from 'rxauth/server'
import { createPlatform, virtualClock, type Fault, type LocalTokens, type Platform, type Wire } from 'rxauth/platform'
import { ada, grace } from '../world'
import type { Values, Watched } from './every-store'
import { codeIn } from './way'

export const clock = virtualClock()

/** A mail server of a project. */
export const mailServer = {
  host: 'localhost',
  port: 2500,
  username: 'shop',
  password: 'a mail password',
  senderName: 'Shop',
  senderEmail: 'shop@example.com',
}

/** The time until an authenticator shows new digits, which then hold for longer than a write takes on the clock. */
export const untilNewDigits = (): number => 30_000 - (clock.now() % 30_000)
export const callbackUrl = 'http://localhost:3000/handler/callback'
export const bare = { email: 'bare@example.com', verified: true }
export const [opsId, labId, elseId] = [
  'b0c1d2e3-1111-4222-8333-444455556666',
  'c0c1d2e3-1111-4222-8333-444455556667',
  'd0c1d2e3-1111-4222-8333-444455556668',
] as const

/** The outcome of the promise, however long it takes on the clock. */
export async function inTime<T>(promise: Promise<T>): Promise<T> {
  let isDone = false
  const ended = promise.finally(() => (isDone = true))
  ended.catch(() => undefined)
  for (let tries = 0; !isDone && tries < 100; tries++) await clock.advance(100)
  return ended
}

/** A platform with rows of every kind, and a kit whose user owns some of them. */
export interface Stage<A extends Kit = ClientApp> {
  readonly platform: Platform
  readonly app: A
  readonly ids: Ids
  /** Another kit with the tokens of this one, which has loaded nothing yet. */
  fresh(): A
  /** From the next write of `app` on, nothing that it loads is answered until `release`. */
  holdLoads(): { readonly paths: readonly string[]; release(): void }
  /** The next write of `app` waits for the call of the result, which may give it a fault. */
  holdWrite(): (fault?: Fault) => void
  /** Whether requests of `app` reach the platform. */
  setOnline(isOnline: boolean): void
}

interface Ids {
  readonly ada: string
  readonly grace: string
  readonly userKey: string
  readonly teamKey: string
  readonly invitation: string
  readonly channel: string
  readonly primary: string
  readonly session: string
  // Of the newer release; on the reference release, of nothing.
  readonly template: string
  readonly theme: string
  readonly draft: string
  readonly email: string
}

/** A write to be tried. */
export interface Write<A extends Kit = ClientApp> {
  /** The address of the signed-in user; default Ada's; null: signed out. */
  readonly as?: string | null
  /** The only release that has the call; without it, both do. */
  readonly wire?: Wire
  /** Makes what the write needs. */
  readonly prepare?: (stage: Stage<A>) => Promise<unknown>
  readonly write: (stage: Stage<A>, prepared: never) => Promise<unknown>
  /** The stores that its answer alone updates, with their arguments; required where the write declares `writes`. */
  readonly fills?: readonly string[]
  /** Stores that show what it has changed, if `fills` has none. */
  readonly shown?: readonly string[]
}

/** The code in the user's last mail. */
export const codeFor = async ({ platform }: Stage, email: string) => codeIn(await platform.mailbox(email).next())

const made = new Map<Wire, ReturnType<typeof make>>()

/** A fork of a platform that is made once. Its project is the internal one, so that its users own projects too. */
async function platformWithAll(wire: Wire = '2.8.18') {
  const one = made.get(wire) ?? make(wire)
  made.set(wire, one)
  const { platform, ids } = await one
  return { platform: platform.fork(), ids }
}

async function make(wire: Wire) {
  const config = {
    magicLinkEnabled: true,
    passkeyEnabled: true,
    clientUserDeletionEnabled: true,
    clientTeamCreationEnabled: true,
    allowUserApiKeys: true,
    allowTeamApiKeys: true,
    createTeamOnSignUp: true,
    oauthProviders: [{ id: 'github', type: 'shared' as const }],
    emailConfig: { type: 'standard' as const, ...mailServer },
  }
  const platform = createPlatform({
    clock,
    wire,
    seed: {
      project: { id: 'internal', config },
      permissions: [{ id: 'publish', scope: 'project' }],
      users: [ada, grace, bare],
      teams: [
        { id: opsId, displayName: 'Ops', members: [{ email: ada.email, permissions: ['team_admin'] }, grace] },
        { id: labId, displayName: 'Lab', members: [grace, ada] },
        { id: elseId, displayName: 'Else', members: [grace] },
      ],
    },
  })
  const done = <T>(promise: Promise<T>) => clock.settled(promise)
  const [app, other] = await Promise.all(
    [ada, grace].map(async each => clientApp(platform, await platform.tokensFor(each.email))),
  )
  const userKey = await done(app!.createUserApiKey({ description: 'ci' }))
  const teamKey = await done(app!.createTeamApiKey({ teamId: opsId, description: 'ci' }))
  const invitation = await done(app!.sendTeamInvitation({ teamId: opsId, email: 'new@example.com', callbackUrl }))
  const channel = await done(app!.createContactChannel({ value: 'countess@example.com' }))
  if (!channel.ok) throw channel.error
  const [primary] = await done(app!.contactChannels$.get())
  const [session] = await done(app!.sessions$.get())
  const [adaUser, graceUser] = await Promise.all([app!, other!].map(each => done(each.user$.get())))
  const mails = await mailsOf(platform, wire)
  app!.dispose()
  other!.dispose()
  // The mails of the last hour are counted: none grows older than that while a write is tried.
  await clock.advance(2 * 3_600_000)
  return {
    platform,
    ids: {
      ada: adaUser!.id,
      grace: graceUser!.id,
      userKey: userKey.id,
      teamKey: teamKey.id,
      invitation: invitation.id,
      channel: channel.value.id,
      primary: primary!.id,
      session: session!.id,
      ...mails,
    },
  }
}

/** One of each of the things that owners write for mails. */
async function mailsOf(platform: Platform, wire: Wire): Promise<Pick<Ids, 'template' | 'theme' | 'draft' | 'email'>> {
  if (wire === '2.8.18') return { template: elseId, theme: elseId, draft: elseId, email: elseId }
  const admin = createAdminApp(platform.adminOptions)
  const [template, theme, draft] = await clock.settled(
    Promise.all([createTsxEmailTemplate, createEmailTheme, createEmailDraft].map(create => create(admin, named))),
  )
  const scheduledAt = new Date('2100-01-01')
  await clock.settled(admin.sendEmail({ emails: ['later@example.com'], html: '<p>Later</p>', scheduledAt }))
  const [email] = (await clock.settled(emailOutbox$(admin).get())).items
  admin.dispose()
  return { template: template!.id, theme: theme!.id, draft: draft!.id, email: email!.id }
}

const named = { displayName: 'Old' }

type Fetch = Platform['options']['fetch']

/** The kit under test, whose loads can be held back, and the makers of other kits. */
function kits<A extends Kit>(
  platform: Platform,
  make: (fetch: Fetch) => A,
): Pick<Stage<A>, 'app' | 'fresh' | 'holdLoads' | 'holdWrite' | 'setOnline'> {
  const { fetch } = platform.options
  let held: 'nothing' | 'after a write' | 'loads' = 'nothing'
  const paths: string[] = []
  let release: () => void
  const answered = new Promise<void>(resolve => (release = resolve))
  let released: Promise<Fault | undefined> | undefined
  let reaches = true
  const gate: Fetch = async (input, init) => {
    const isLoad = (init?.method ?? 'GET') === 'GET'
    if (isLoad && held === 'loads') {
      paths.push(new URL(input as string).pathname.replace('/api/v1', ''))
      await answered
    }
    if (!isLoad && held === 'after a write') held = 'loads'
    const waiting = isLoad ? undefined : released
    if (waiting) released = undefined
    const fault = await waiting
    if (!reaches) throw new TypeError('fetch failed')
    if (fault) platform.faults.next('*', fault)
    return fetch(input, init)
  }
  return {
    app: make(gate),
    fresh: () => make(fetch),
    holdLoads() {
      held = 'after a write'
      return {
        paths,
        release() {
          held = 'nothing'
          release()
        },
      }
    },
    holdWrite() {
      let release: (fault?: Fault) => void = () => undefined
      released = new Promise(resolve => (release = resolve))
      return release
    },
    setOnline: isOnline => void (reaches = isOnline),
  }
}

function clientApp(platform: Platform, tokens: LocalTokens): ClientApp {
  return createClientApp({ ...platform.options, tokens })
}

export async function clientStage(as: string | null, wire?: Wire): Promise<Stage> {
  const { platform, ids } = await platformWithAll(wire)
  const tokens = as === null ? memoryTokens() : await platform.tokensFor(as)
  return { platform, ids, ...kits(platform, fetch => createClientApp({ ...platform.options, tokens, fetch })) }
}

export async function serverStage(as: string | null, wire?: Wire): Promise<Stage<RequestApp>> {
  const { platform, ids } = await platformWithAll(wire)
  const tokens = as === null ? memoryTokens() : await platform.tokensFor(as)
  const make = (fetch: Fetch) => createServerApp({ ...platform.serverOptions, fetch }).withTokens(tokens)
  return { platform, ids, ...kits(platform, make) }
}

/** A server's kit of one request, made by a kit with an admin's key. */
export async function requestStage(as: string | null, wire?: Wire): Promise<Stage<RequestApp>> {
  const { platform, ids } = await platformWithAll(wire)
  const tokens = as === null ? memoryTokens() : await platform.tokensFor(as)
  const make = (fetch: Fetch) => createAdminApp({ ...platform.adminOptions, fetch }).withTokens(tokens)
  return { platform, ids, ...kits(platform, make) }
}

export async function adminStage(wire?: Wire): Promise<Stage<AdminApp>> {
  const { platform, ids } = await platformWithAll(wire)
  return { platform, ids, ...kits(platform, fetch => createAdminApp({ ...platform.adminOptions, fetch })) }
}

/** The values of arguments of stores on this platform. */
export function valuesOf({ ids }: Pick<Stage, 'ids'>): Values {
  return {
    teamId: [opsId, labId, elseId],
    userId: [ids.ada, ids.grace],
    apiKeyId: [ids.userKey, ids.teamKey],
    permissionId: ['$update_team', 'publish'],
    recursive: [false],
    type: ['magic_link'],
    level: ['branch', 'environment'],
    emailThemeId: [ids.theme],
    emailDraftId: [ids.draft],
    emailId: [ids.email],
  }
}

/** The name of a store with those of its arguments on this platform: `teamApiKey$ teamKey ops`. */
export function labelsOf({ ids }: Pick<Stage, 'ids'>): (store: Pick<Watched, 'name'>) => string {
  const names = Object.entries({ ...ids, ops: opsId, lab: labId, else: elseId })
  return ({ name }) => {
    const [store = '', args = '{}'] = name.split(/ (.*)/)
    const values = Object.values(JSON.parse(args) as object).map(
      value => names.find(([, id]) => id === value)?.[0] ?? String(value),
    )
    return [store, ...values].join(' ')
  }
}
