import { maxWaitMillis } from '../../core/clock'
import { notificationCategories, wants, noteSent, post, pruneOutbox, refusedMail } from './outbox'
import type { NotificationCategory } from './outbox'
import { saidBy } from '../../errors/auth-error'
import { createCode } from '../directory/verification-codes'
import { dueAtOf, type MailOutcome, type OutboxRow, type Recipient, type RunMail } from '../model/emails'
import type { Undrawn } from '../model/emails'
import { inProject, inUnit, type Engine, type OpenEngine, type PlatformServices } from '../model/engine'
import { primaryChannelOf } from '../model/restriction'
import type { Database } from '../model/tables'
import { readHtml } from './html-text'
import { rendering, type TsxMail } from './tsx-mail'

/** A mail to this domain ends with the status in the address: `bounced@outcome.test`. */
const outcomeDomain = 'outcome.test'

const provoked = ['server-error', 'bounced', 'delivery-delayed', 'opened', 'clicked', 'marked-as-spam'] as const

/** The drawing of a mail. */
type Rendering = TsxMail | Undrawn

type RenderedMail = NonNullable<OutboxRow['rendered']>

/**
 * Renders a new or changed mail unless it is paused, and sends it if its time has come. Where mails run as code, this is done after
 * the answer.
 */
export async function queueMail(engine: Engine, row: OutboxRow): Promise<void> {
  if (engine.runMail || row.isPaused || row.outcome) keepChanged(engine, row)
  else advance(engine, row, await renderingOf(engine, row)(undefined))
}

/** Takes a mail as far as it can go now: it is rendered, and sent if its time has come. */
function advance(engine: Engine, row: OutboxRow, mail: Rendering): void {
  const { emailOutbox } = engine.tables
  const at = engine.clock.now()
  if ('error' in mail) {
    const outcome = { status: 'render-error' as const, at, reason: mail.error, startedRenderingAt: at }
    emailOutbox.put({ ...row, rendered: null, outcome })
    if (!row.secret) noteFailed(engine, row, row.subject ?? '', mail.error)
    return
  }
  const rendered = row.rendered ?? renderedFrom(row, mail, at)
  if (row.scheduledAt > at) {
    emailOutbox.put({ ...row, rendered })
    engine.afterCommit(engine.mailsWait)
    return
  }
  const outcome = { at, startedSendingAt: at, ...send(engine, row, rendered, mail) }
  const { secret: _, ...kept } = row
  emailOutbox.put({ ...kept, rendered, updatedAt: at, outcome })
}

function renderedFrom({ subject, category }: OutboxRow, mail: TsxMail, at: number): RenderedMail {
  const { html, body } = mail.page()
  const { id: categoryId = null } = categoryOf(category ?? mail.notificationCategory) ?? {}
  return { at, subject: subject ?? mail.subject ?? '', html, text: readHtml(body).text, categoryId }
}

/** Keeps a mail whose content has changed. It is rendered after the answer, as on the hosted platform. */
export function keepChanged({ tables, afterCommit, mailsWait }: Engine, row: OutboxRow): void {
  tables.emailOutbox.put(row)
  afterCommit(mailsWait)
}

/** Renders the changed mails of all projects, and sends those whose time has come. */
async function sendDueMails(host: PlatformServices): Promise<void> {
  const renderings = await inUnit(host, async open =>
    projectsOf(open).flatMap(engine => waitingIn(engine).map(row => [row, renderingOf(engine, row)] as const)),
  )
  // Mails are drawn while no unit of work is open.
  const runOnce = host.runMail && onceIn(host.runMail)
  const drawn = new Map<OutboxRow, Rendering>()
  for (const [row, render] of renderings) drawn.set(row, await render(runOnce))
  await inUnit(host, async open => {
    for (const engine of projectsOf(open)) {
      for (const row of waitingIn(engine)) {
        // A row that was changed while the mails were drawn is drawn the next time.
        const mail = drawn.get(row)
        if (mail) advance(engine, row, mail)
      }
      pruneOutbox(engine)
    }
  })
}

/** Runs each program once: mails of one kind have one theme, and often one text. A source that was stopped runs no more. */
function onceIn(run: RunMail): RunMail {
  const ran = new Map<string, ReturnType<RunMail>>()
  return async program => {
    const key = JSON.stringify(program)
    const drawing = ran.get(program.source) ?? ran.get(key) ?? run(program)
    ran.set(key, drawing)
    const drawn = await drawing
    if ('isStopped' in drawn) ran.set(program.source, drawing)
    return drawn
  }
}

function projectsOf(open: OpenEngine): readonly Engine[] {
  return open.database.projects.rows().map(({ id }) => inProject(open, id))
}

/** The mails that have to be rendered or sent now. */
function waitingIn({ tables, clock }: Engine): readonly OutboxRow[] {
  return tables.emailOutbox.page('dueAt', {}).rows.filter(row => dueAtOf(row) <= clock.now())
}

function nextDueAt(database: Database): number | undefined {
  const times = database.projects.rows().flatMap(({ id }) => {
    const [first] = database.of(id).emailOutbox.page('dueAt', { limit: 1 }).rows
    return first ? [dueAtOf(first)] : []
  })
  return times.length === 0 ? undefined : Math.min(...times)
}

/** The wait after a sending that has failed as a whole. */
const pauseMillis = 5_000

/** Sends the mails of a platform at their times; each sending is `tracked` like a request. */
export function mailAlarm(host: PlatformServices, tracked: (run: () => Promise<void>) => Promise<void>) {
  const { clock, journal } = host
  let cancel = (): void => undefined
  let hasEnded = false
  let isRinging = false
  let hasNews = false
  let reported: string | undefined
  function wait(leastMillis: number): void {
    cancel()
    const at = hasEnded || isRinging ? undefined : nextDueAt(journal.committed)
    if (at === undefined) return
    const millis = Math.min(Math.max(leastMillis, at - clock.now()), maxWaitMillis)
    cancel = clock.setTimeout(() => void ring(), millis, { keepAlive: false })
  }
  async function ring(): Promise<void> {
    isRinging = true
    hasNews = false
    let pause = 0
    try {
      await tracked(() => sendDueMails(host))
      reported = undefined
    } catch (error) {
      // News alone may be the reason: a snapshot that is restored ends what is under way.
      if (!hasNews) {
        report(saidBy(error))
        pause = pauseMillis
      }
    }
    isRinging = false
    wait(pause)
  }
  function report(what: string): void {
    if (hasEnded || what === reported) return
    reported = what
    // eslint-disable-next-line no-console -- no caller awaits it
    console.error(`rxauth: the mails that are due cannot be sent; tried again every ${pauseMillis / 1000} s: ${what}`)
  }
  /** Called whenever the mails that wait may have changed. */
  function set(): void {
    hasNews = true
    wait(0)
  }
  return {
    set,
    end(): void {
      hasEnded = true
      cancel()
    },
  }
}

/** Reads what the mail needs, and returns its rendering. */
function renderingOf(engine: Engine, row: OutboxRow): (run: RunMail | undefined) => Promise<Rendering> {
  const { displayName } = engine.tables.users.get(row.to.userId ?? '') ?? {}
  const render = rendering(engine, { ...row, displayName, ...row.secret })
  return async run => {
    const mail = await render(run)
    if ('error' in mail) return mail
    const name = row.category ?? mail.notificationCategory
    if (name === undefined || categoryOf(name)) return mail
    return { error: 'the template names a category that does not exist' }
  }
}

/** Sends a mail, unless its receiver has no address or does not want it, and returns how it ended. */
function send(engine: Engine, row: OutboxRow, rendered: RenderedMail, mail: TsxMail): Omit<MailOutcome, 'at'> {
  const { userId, emails } = row.to
  const { subject, text } = rendered
  const category = notificationCategories.find(({ id }) => id === rendered.categoryId)
  const addresses = addressesOf(engine, row.to)
  const skipped = (reason: string) => ({ status: 'skipped' as const, reason })
  if (userId !== undefined && !engine.tables.users.get(userId)) return skipped('USER_ACCOUNT_DELETED')
  if (addresses.length === 0) return skipped(emails ? 'NO_EMAIL_PROVIDED' : 'USER_HAS_NO_PRIMARY_EMAIL')
  if (userId !== undefined && category && !wants(engine, userId, category)) return skipped('USER_UNSUBSCRIBED')
  const [status] = addresses.flatMap(address => provoked.filter(each => address === `${each}@${outcomeDomain}`))
  if (status === 'server-error' || engine.refusesMail()) {
    const reason = status ? 'The mail server has refused the mail.' : refusedMail(engine)
    noteFailed(engine, row, subject, reason)
    return { status: 'server-error', reason }
  }
  if (status === 'bounced') return { status }
  for (const to of addresses) {
    const wayOut = category && unsubscribeLink(engine, userId, category, row.origin)
    const { html, body } = mail.page(wayOut)
    const end = wayOut === undefined ? '' : `\nClick here ${wayOut} to unsubscribe from these emails`
    post(engine, { to, subject, text: text + end, html, links: readHtml(body).links, code: row.secret?.code ?? null })
  }
  return { status: status ?? 'sent' }
}

/** The unsubscribe link of a user; none for a category that cannot be switched off. */
export function unsubscribeLink(
  engine: Engine,
  userId: string | undefined,
  { id, canDisable }: NotificationCategory,
  origin: string,
): string | undefined {
  if (userId === undefined || !canDisable) return undefined
  const code = createCode(engine, 'unsubscribe', { userId, notificationCategoryId: id })
  return `${origin}/api/v1/emails/unsubscribe-link?code=${code}`
}

/** Adds a mail that has failed to the list for admins, for each of its addresses. */
function noteFailed(engine: Engine, row: OutboxRow, subject: string, message: string): void {
  for (const to of addressesOf(engine, row.to)) noteSent(engine, { to, subject }, { message })
}

function addressesOf({ tables }: Engine, { userId, emails }: Recipient): readonly string[] {
  if (emails) return emails
  const primary = userId === undefined ? undefined : primaryChannelOf(tables, userId)?.value
  return primary === undefined ? [] : [primary]
}

export function categoryOf(name: string | undefined): NotificationCategory | undefined {
  return notificationCategories.find(each => each.name === name)
}
