import { map, Subject } from 'rxjs'
import { systemClock } from '../core/clock'
import { localKeys, localProject } from '../core/defaults'
import { orUndefined } from '../core/values'
import { internalProjectId } from './http/authenticate'
import { internalKeys } from './model/api-keys'
import { assertKnownNames } from '../errors/auth-error'
import { accessTokenOf, startSession } from './directory/sessions'
import { AccessTokens } from './model/access-tokens'
import { Budgets, planFaults } from './test-tools/faults'
import { Journal, type JournalObserver, type DataSnapshot } from './data/journal'
import { inProject, inUnit, type PlatformServices } from './model/engine'
import { appleToken } from './provider/token'
import { requestHandler, Filling } from './handle-request'
import { inProcessFetch } from './http/request-checks'
import { toMail, linkOpener, openMailbox } from './mail/mail'
import { mailAlarm } from './mail/mail-queue'
import { LocalAccess, toLocalMail } from './console/local-access'
import { isLocalPath, localSurface } from './console/surface'
import { changesPath } from './console/user-changes'
import { memoryTokens, type LocalTokens } from './test-tools/token-stores'
import { SoftwareAuthenticator } from './passkeys/authenticator'
import type { AnsweredRequest, LocalOptions, Platform, PlatformOptions } from './platform'
import { addressesOf } from './routes/index'
import { assertKnownSeed, missingFrom, createProjects, plant, userByEmail } from './test-tools/seed'
import type { Seed, PlantOptions } from './test-tools/seed'
import { upgraded } from './directory/projects'
import { schema, type PlatformJournal } from './model/tables'
import type { MailRow, MailRunner } from './model/emails'
import { signInLink } from './pages/pages'
import { isVirtual } from './test-tools/virtual-clock'
import { webhookSender } from './webhooks/webhooks'
import { defaultWire, rulesOf } from './model/release'

// Bundlers replace exactly this expression; without a bundler `process` may not exist.
declare const process: { readonly env: { readonly NODE_ENV?: string } }

/** The address of an in-process platform; no server listens there. */
const baseUrl = 'http://localhost:8102'

/** An old refresh token gives the same successor for a minute. */
const defaultGraceMillis = 60_000

/**
 * A platform that speaks the hosted one's protocol, in memory and in process. For development and tests: it refuses to run
 * with NODE_ENV=production.
 *
 * @example
 * const platform = createPlatform({ seed: { users: [{ email: 'ada@example.com', password: 'correct horse' }] } })
 * const app = createClientApp({ ...platform.options, tokens: memoryTokens() })
 */
export function createPlatform(options: PlatformOptions = {}): Platform {
  assertKnownNames(options, 'clock seed rotation compatibility wire webhooks passwordCost silentPasskeys')
  assertKnownSeed(options.seed)
  return keptPlatform(options, {})
}

/** Stores the platform's data outside memory, and runs its mails. */
export interface Keeper extends JournalObserver {
  /** The stored data; if given, no seed is planted. */
  readonly kept?: DataSnapshot
  readonly mails?: MailRunner | undefined
}

/** A platform whose data a keeper stores. */
export function keptPlatform(options: PlatformOptions, keeper: Keeper): Platform {
  if (orUndefined(() => process.env.NODE_ENV) === 'production')
    throw new Error('the local platform protects nothing and does not run with NODE_ENV=production')
  return build(options, keeper, null)
}

/** Fills the new platform from `origin` if given, else from the stored data, else from the seed. */
function build(options: PlatformOptions, keeper: Keeper, origin: PlatformParts | null): Platform {
  const parts = partsOf(options, keeper)
  const { journal, host, access, sent$, answered$, sender, plan, alarm, filling, budgets, addresses, mails } = parts
  const answer = answerer(parts, options)
  const { seed = {} } = options
  filling.begin(origin ? copied(origin, journal) : keeper.kept ? Promise.resolve() : sow(parts, seed))
  // Mails may wait in the data of another platform.
  void filling.ready.then(alarm.set, () => undefined)
  return {
    fetch: answer,
    ...optionsFor(parts, answer),
    tokensFor: email => filling.tracked(() => tokensFor(parts, email)),
    signInLink: (user, { to }) => filling.tracked(() => inUnit(host, async open => signInLink(open, user, to))),
    mail$: sent$.pipe(map(toMail)),
    mailbox: (email, { scanner = false, open } = {}) =>
      openMailbox(journal, sent$, email, scanner ? linkOpener(answer, baseUrl, open) : undefined),
    webhooks$: sender.webhooks$,
    webhooks: sender.webhooks,
    requests$: answered$.asObservable(),
    oauth: {
      nextUser: user => void host.nextUsers.push(user),
      appleToken: input => filling.tracked(() => inUnit(host, open => appleToken(open, input))),
    },
    authenticator: options =>
      new SoftwareAuthenticator(() => (isVirtual(host.clock) ? host.clock.begin() : undefined), options),
    faults: plan,
    budget: (allowed, run) => budgets.spend(allowed, run, addresses),
    seed: (more, how) =>
      filling.add(() => {
        assertKnownSeed(more)
        return sow(parts, more, how)
      }),
    snapshot: () => snapshotOf(parts),
    restore(snapshot) {
      restore(parts, snapshot)
    },
    fork: () => build(options, { mails: mails?.share() }, parts),
    dispose() {
      filling.hasEnded = true
      sent$.complete()
      sender.dispose()
      alarm.end()
      mails?.end()
      answered$.complete()
      access.dispose()
    },
  }
}

type PlatformParts = ReturnType<typeof partsOf>

/** The parts of a platform, which has a project and no users yet. */
function partsOf(options: PlatformOptions, { kept, mails, ...observer }: Keeper) {
  const { seed = {}, compatibility = 'local', passwordCost = 'test', rotation } = options
  const { graceMillis = defaultGraceMillis } = Object(rotation) as { readonly graceMillis?: number }
  const access = new LocalAccess(options.clock ?? systemClock)
  const { clock } = access
  const rules = rulesOf(options.wire ?? defaultWire)
  const journal = new Journal(schema, observer, kept && upgraded(kept))
  const sent$ = new Subject<MailRow>()
  const answered$ = new Subject<AnsweredRequest>()
  const projectId = seed.project?.id ?? localProject.projectId
  const sender = webhookSender(access.outerClock, projectId, options.webhooks ?? [])
  const addresses = addressesOf(rules)
  const plan = planFaults(addresses, () => access.tell({ type: 'faults', faults: plan.list() }))
  const filling = new Filling(clock)
  const host: PlatformServices = {
    journal,
    clock,
    accessTokens: new AccessTokens(journal, clock),
    rules,
    passwordCost,
    rotation: rotation ? { graceMillis } : null,
    isStrict: compatibility === 'strict',
    silentPasskeys: options.silentPasskeys ?? false,
    nextUsers: [],
    deliver(mail) {
      sent$.next(mail)
      access.tell({ type: 'mail', mail: toLocalMail(mail) })
    },
    refusesMail: () => plan.refusesMail(),
    mailsWait() {
      alarm.set()
    },
    runMail: mails?.run,
    noteBody: access.exchanges.noteBody,
    tellWebhook(projectId, event) {
      access.tellWebhook(projectId, sender.send(projectId, event))
    },
  }
  const alarm = mailAlarm(host, run => filling.tracked(run))
  if (!journal.committed.projects.get(projectId))
    journal.runNow(database =>
      createProjects(database, clock.now(), seed.project, compatibility === 'local', rules.hasOwnerTeams),
    )
  const budgets = new Budgets()
  return { access, journal, host, sent$, answered$, projectId, sender, addresses, plan, budgets, filling, alarm, mails }
}

function answerer(parts: PlatformParts, options: PlatformOptions): (request: Request) => Promise<Response> {
  const { filling } = parts
  const handle = requestHandler(parts)
  const surface = localSurface({
    ...parts,
    ready: () => filling.ready,
    snapshot: () => snapshotOf(parts),
    restore(snapshot) {
      restore(parts, snapshot)
    },
    anew: () => build({ ...options, clock: parts.access.clock }, { mails: parts.mails?.share() }, null),
  })
  return async request => {
    const { pathname } = new URL(request.url)
    const isChanges = pathname === changesPath
    // These requests are not tracked: one of them may move the virtual clock, which waits for tracked requests.
    if (isLocalPath(pathname) && !isChanges && !filling.hasEnded) return surface(request)
    return filling.tracked(work => (isChanges ? surface(request) : handle(request, work)))
  }
}

function optionsFor({ projectId, host: { clock } }: PlatformParts, answer: (request: Request) => Promise<Response>) {
  const { publishableClientKey } = localProject
  const options: LocalOptions = { projectId, publishableClientKey, baseUrl, fetch: inProcessFetch(answer), clock }
  const serverOptions = { ...options, secretServerKey: localKeys.secretServerKey }
  return {
    options,
    serverOptions,
    ownerOptions: { ...options, projectId: internalProjectId, publishableClientKey: internalKeys.publishableClientKey },
    adminOptions: { ...serverOptions, superSecretAdminKey: localKeys.superSecretAdminKey },
  }
}

function tokensFor({ host, projectId }: PlatformParts, email: string): Promise<LocalTokens> {
  return inUnit(host, async open => {
    const engine = inProject(open, projectId)
    const { session, refreshToken } = startSession(engine, userByEmail(engine.tables, email))
    const accessToken = await accessTokenOf(engine, session, baseUrl)
    return memoryTokens({ accessToken, refreshToken })
  })
}

/** Plants the seed, or only its rows that the platform does not have. */
function sow(
  { host, projectId }: PlatformParts,
  more: Seed,
  { onlyMissing = false }: PlantOptions = {},
): Promise<void> {
  // A seed causes no webhooks.
  return inUnit({ ...host, tellWebhook: () => undefined }, open => {
    const engine = inProject(open, projectId)
    return plant(engine, onlyMissing ? missingFrom(engine, more) : more)
  })
}

async function copied({ journal, filling }: PlatformParts, to: PlatformJournal): Promise<void> {
  if (filling.isRunning) await filling.ready
  to.copy(journal)
}

function snapshotOf({ journal, filling }: PlatformParts): object {
  if (filling.isRunning)
    throw new Error('the seed is still being planted: await a request, or platform.seed({}), first')
  return journal.snapshot()
}

function restore({ journal, alarm, access }: PlatformParts, snapshot: object): void {
  journal.restore(upgraded(snapshot))
  alarm.set()
  access.tell({ type: 'restored' })
}
