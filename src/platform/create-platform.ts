import { map, Subject } from 'rxjs'
import { systemClock } from '../core/clock'
import { localKeys, localProject } from '../core/defaults'
import { internalProjectId } from './http/authenticate'
import { internalKeys } from './model/api-keys'
import { assertKnownNames } from '../errors/auth-error'
import { accessTokenOf, startSession } from './directory/sessions'
import { AccessTokens } from './model/access-tokens'
import { Budgets, planFaults } from './test-tools/faults'
import { Journal } from './data/journal'
import type { JournalObserver, Snapshot } from './data/journal'
import { inProject, inUnit } from './model/engine'
import type { PlatformServices } from './model/engine'
import { appleToken } from './provider/apple-token'
import { requestHandler } from './handle-request'
import { inProcessFetch } from './http/body'
import { toMail } from './mail/mail'
import { mailAlarm } from './mail/mail-alarm'
import { linkOpener, openMailbox } from './mail/mailbox'
import { LocalAccess, toLocalMail } from './console/local-access'
import { isLocalPath, localSurface } from './console/surface'
import { changesPath } from './console/user-changes'
import { memoryTokens } from './test-tools/memory-tokens'
import { SoftwareAuthenticator } from './passkeys/authenticator'
import type { AnsweredRequest, LocalOptions, Platform, PlatformOptions } from './platform'
import { NextUsers } from './model/next-users'
import { addressesOf } from './routes/index'
import { assertKnownSeed, missingFrom } from './test-tools/seed-missing'
import { createProjects, plant, userByEmail } from './test-tools/seed'
import type { Seed } from './test-tools/seed'
import type { PlantOptions } from './test-tools/seed-missing'
import { schema } from './model/tables'
import type { MailRow } from './model/emails'
import { userSearches } from './model/user-search'
import { isVirtual } from './test-tools/virtual-clock'
import type { Work } from './test-tools/virtual-clock'
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
  assertKnownNames(options, 'clock seed rotation compatibility wire webhooks passwordCost')
  assertKnownSeed(options.seed)
  return keptPlatform(options, {})
}

/** Stores the platform's data outside memory. */
export interface Keeper extends JournalObserver {
  /** The stored data; if given, no seed is planted. */
  readonly kept?: Snapshot
}

/** A platform whose data a keeper stores. */
export function keptPlatform(options: PlatformOptions, keeper: Keeper): Platform {
  if (environment() === 'production')
    throw new Error('the local platform protects nothing and does not run with NODE_ENV=production')
  return build(options, keeper, null)
}

/** Fills the new platform from `origin` if given, else from the stored data, else from the seed. */
function build(
  options: PlatformOptions,
  { kept, ...observer }: Keeper,
  origin: { fill(host: PlatformServices): Promise<void> | undefined } | null,
): Platform {
  const { seed = {}, compatibility = 'local', passwordCost = 'test' } = options
  const access = new LocalAccess(options.clock ?? systemClock)
  const { clock } = access
  const rules = rulesOf(options.wire ?? defaultWire)
  const journal = new Journal(schema, observer, kept)
  const sent$ = new Subject<MailRow>()
  const answered$ = new Subject<AnsweredRequest>()
  const host: PlatformServices = {
    journal,
    clock,
    accessTokens: new AccessTokens(journal, clock),
    rules,
    passwordCost,
    rotation: graceOf(options.rotation),
    isStrict: compatibility === 'strict',
    nextUsers: new NextUsers(),
    userSearchOf: userSearches(),
    deliver(mail) {
      sent$.next(mail)
      access.tell({ type: 'mail', mail: toLocalMail(mail) })
    },
    refusesMail: () => plan.refusesMail(),
    mailsWait() {
      alarm.set()
    },
    noteBody: access.exchanges.noteBody,
    tellWebhook(projectId, event) {
      access.tellWebhook(projectId, sender.send(projectId, event))
    },
  }
  const projectId = seed.project?.id ?? localProject.projectId
  const sender = webhookSender(access.outerClock, projectId, options.webhooks ?? [])
  const alarm = mailAlarm(host, tracked)
  const addresses = addressesOf(rules)
  const plan = planFaults(addresses, () => access.tell({ type: 'faults', faults: plan.list() }))
  const budgets = new Budgets()
  const handle = requestHandler({ host, access, plan, budgets, addresses, answered$ })
  if (!journal.committed.projects.get(projectId))
    journal.runNow(database =>
      createProjects(database, clock.now(), seed.project, compatibility === 'local', rules.hasOwnerTeams),
    )
  let disposed = false
  let filling = 0
  let ready: Promise<void> = Promise.resolve()

  function fill(work: Promise<void>): Promise<void> {
    filling++
    // The virtual clock waits for the seed, so that its rows carry the time of the call.
    const announced = isVirtual(clock) ? clock.begin() : undefined
    const filled = work.finally(() => {
      filling--
      announced?.end()
    })
    // A failure rejects `ready`; without this handler it would also be an unhandled rejection.
    filled.catch(() => undefined)
    return filled
  }

  function sow(more: Seed, { onlyMissing = false }: PlantOptions = {}): Promise<void> {
    // A seed causes no webhooks.
    return inUnit({ ...host, tellWebhook: () => undefined }, open => {
      const engine = inProject(open, projectId)
      return plant(engine, onlyMissing ? missingFrom(engine, more) : more)
    })
  }

  async function tracked<T>(run: (work: Work | undefined) => Promise<T>): Promise<T> {
    const work = isVirtual(clock) ? clock.begin() : undefined
    try {
      await ready
      if (disposed) throw new Error('this local platform has been disposed')
      return await run(work)
    } finally {
      work?.end()
    }
  }

  function snapshot(): object {
    if (filling > 0) throw new Error('the seed is still being planted: await a request, or platform.seed({}), first')
    return journal.snapshot()
  }

  function restore(snapshot: object): void {
    journal.restore(snapshot)
    alarm.set()
    access.tell({ type: 'restored' })
  }

  const surface = localSurface({ access, host, plan, addresses, projectId, ready: () => ready, snapshot, restore })
  const answer = async (request: Request) => {
    const { pathname } = new URL(request.url)
    const isChanges = pathname === changesPath
    // A virtual clock does not wait for what may move it.
    if (isLocalPath(pathname) && !isChanges && !disposed) return surface(request)
    return tracked(work => (isChanges ? surface(request) : handle(request, work)))
  }
  const { publishableClientKey } = localProject
  const local: LocalOptions = { projectId, publishableClientKey, baseUrl, fetch: inProcessFetch(answer), clock }
  const server = { ...local, secretServerKey: localKeys.secretServerKey }
  const mail$ = sent$.pipe(map(toMail))

  ready = fill(origin ? (origin.fill(host) ?? Promise.resolve()) : kept ? Promise.resolve() : sow(seed))
  // Mails may wait in the data of another platform.
  void ready.then(alarm.set, () => undefined)
  return {
    fetch: answer,
    options: local,
    serverOptions: server,
    ownerOptions: {
      ...local,
      projectId: internalProjectId,
      publishableClientKey: internalKeys.publishableClientKey,
    },
    adminOptions: { ...server, superSecretAdminKey: localKeys.superSecretAdminKey },
    tokensFor: email =>
      tracked(() =>
        inUnit(host, async open => {
          const engine = inProject(open, projectId)
          const { session, refreshToken } = startSession(engine, userByEmail(engine.tables, email))
          const accessToken = await accessTokenOf(engine, session, baseUrl)
          return memoryTokens({ accessToken, refreshToken })
        }),
      ),
    mail$,
    mailbox: (email, { scanner = false, open } = {}) =>
      openMailbox(journal, sent$, email, scanner ? linkOpener(answer, baseUrl, open) : undefined),
    webhooks$: sender.webhooks$,
    webhooks: sender.webhooks,
    requests$: answered$.asObservable(),
    oauth: {
      nextUser: user => host.nextUsers.add(user),
      appleToken: input => tracked(() => inUnit(host, open => appleToken(open, input))),
    },
    authenticator: options => new SoftwareAuthenticator(() => (isVirtual(clock) ? clock.begin() : undefined), options),
    faults: plan,
    budget: (allowed, run) => budgets.spend(allowed, run, addresses),
    seed(more, how) {
      const planted = fill(
        ready.then(() => {
          assertKnownSeed(more)
          return sow(more, how)
        }),
      )
      ready = planted.catch(() => undefined)
      return planted
    },
    snapshot,
    restore,
    fork() {
      const copy = (to: PlatformServices) => to.journal.copy(journal)
      return build(
        options,
        {},
        {
          fill(to) {
            if (filling > 0) return ready.then(() => copy(to))
            copy(to)
            return undefined
          },
        },
      )
    },
    dispose() {
      disposed = true
      sent$.complete()
      sender.dispose()
      alarm.end()
      answered$.complete()
      access.dispose()
    },
  }
}

function graceOf(rotation: PlatformOptions['rotation']): PlatformServices['rotation'] {
  if (!rotation) return null
  return { graceMillis: rotation === true ? defaultGraceMillis : (rotation.graceMillis ?? defaultGraceMillis) }
}

function environment(): string | undefined {
  try {
    return process.env.NODE_ENV
  } catch {
    return undefined
  }
}
