import { nearest } from '../../core/nearest'
import { decoded, parseUrl } from '../../core/urls'
import { isTrustedUrl } from '../directory/trusted-url'
import { channelOf } from '../directory/users'
import { createCode } from '../directory/verification-codes'
import { internalProjectId } from '../http/authenticate'
import { bareReply, textType, type Reply } from '../http/reply'
import { withCode } from '../mail/mail'
import { inProject, type Engine, type OpenEngine } from '../model/engine'
import { plain, RefusedRequest } from '../model/refusal'
import { normalizeEmail } from '../model/users'
import { seededUsers } from '../provider/token'
import type { MailRow } from '../model/emails'
import { escapeHtml, htmlPage } from '../http/html'

/** Below it, an e-mail address or the id of a user. */
const signInAsPath = '/as'

export function isSignInAs(pathname: string): boolean {
  return pathname === signInAsPath || pathname.startsWith(`${signInAsPath}/`)
}

const usualApp = 'http://localhost:3000/'

const shownPeople = 100

/** The number of people with whom an unknown name is compared, which takes a third of a millisecond for each. */
const comparedPeople = 1000

/**
 * The address of the app's magic-link page with a code that signs the user in once, and then leads to `to`: an address of the app,
 * which the project trusts. Throws `RefusedRequest`.
 */
export function signInLink(open: OpenEngine, user: string, to: string): string {
  const found = enginesOf(open).flatMap(engine => {
    const id = engine.tables.users.get(user)?.id ?? channelOf(engine.tables, user)?.userId
    return id === undefined ? [] : [{ engine, userId: id }]
  })
  const [person] = found
  if (!person) throw plain(404, notFound(user, namesOf(open)))
  const { engine, userId } = person
  const target = parseUrl(to)
  if (!target || !/^https?:$/.test(target.protocol))
    throw plain(400, `"${to}" is no address of an app: give a whole one, such as ${usualApp}`)
  if (!isTrustedUrl(engine, target.href))
    throw plain(
      400,
      `The project does not trust ${target.origin}: only localhost, where it is allowed, and its trusted domains.`,
    )
  const own = engine.settings.domains.find(({ domain }) => parseUrl(domain)?.origin === target.origin)
  const page = new URL(target.origin)
  // Set as a path: resolved as an address, `//other.example` would lead elsewhere.
  page.pathname = `${own?.handlerPath ?? '/handler'}/magic-link-callback`
  page.searchParams.set('after_auth_return_to', target.origin + target.pathname + target.search + target.hash)
  return withCode(page.href, createCode(engine, 'magic-link', { userId }))
}

/** The people of all projects, as text, and the redirect that signs one of them in at the app. */
export function signInAs(open: OpenEngine, { pathname, searchParams, origin }: URL): Reply {
  const to = searchParams.get('to') ?? usualApp
  const told = (status: number, text: string) =>
    bareReply(status, { ...headers, 'content-type': textType }, `${text}\n`)
  if (pathname === signInAsPath) {
    const names = namesOf(open)
    const query = `?${new URLSearchParams({ to }).toString()}`
    const lines = names
      .slice(0, shownPeople)
      .map(name => `${origin}${signInAsPath}/${encodeURIComponent(name)}${query}`)
    const more = names.length > shownPeople ? [`and ${names.length - shownPeople} more`] : []
    const first = 'Each address signs you in at the app, once, and leads to the page that "to" names:'
    return told(200, [first, ...lines, ...more].join('\n'))
  }
  try {
    const location = signInLink(open, decoded(pathname.slice(signInAsPath.length + 1)), to)
    return bareReply(303, { ...headers, location })
  } catch (error) {
    if (error instanceof RefusedRequest) return told(error.status, error.message)
    throw error
  }
}

const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

/** In the order of the projects, the seeded one first. */
function enginesOf(open: OpenEngine): Engine[] {
  const ids = open.database.projects.rows().map(({ id }) => id)
  return ids.filter(id => id !== internalProjectId).map(id => inProject(open, id))
}

/** The e-mail address of each user, else the id. */
function namesOf(open: OpenEngine): string[] {
  return enginesOf(open).flatMap(({ tables }) =>
    tables.users.rows().map(({ id }) => tables.contactChannels.first('primaryOf', id)?.value ?? id),
  )
}

function notFound(user: string, names: readonly string[]): string {
  const close = nearest(user, names.slice(0, comparedPeople))
  const hint = close === undefined ? '' : ` Did you mean ${close}?`
  return `No user has the e-mail address or id "${user}".${hint} There are: ${names.slice(0, shownPeople).join(', ') || 'none'}.`
}

/** All sent mails, newest first; `?address=` selects one address. */
export function mailboxPage({ database }: OpenEngine, { searchParams }: URL): Reply {
  const address = normalizeEmail(searchParams.get('address') ?? '')
  const { mails: all } = database
  const mails = (address === '' ? all.rows() : all.by('to', address)).reverse()
  const seeded = database.projects.rows().flatMap(({ id }) => seededUsers(database.of(id)).map(({ email }) => email))
  const addresses = [...new Set([...seeded, ...all.rows().map(({ to }) => to)])].sort()
  const body = `
<p class="dim">The mails that the local platform has sent. Nothing leaves this machine.</p>
<form method="get">
<div class="row">
<label>E-mail address <input type="search" name="address" value="${escapeHtml(address)}" list="addresses"></label>
<datalist id="addresses">${addresses.map(each => `<option value="${escapeHtml(each)}">`).join('')}</datalist>
<button type="submit">Show</button>
</div>
<nav aria-label="Addresses">
${address === '' ? '' : '<a href="/mailbox">Show every address</a>'}
${[...new Set(seeded)].map(linkTo).join('\n')}
</nav>
</form>
${mails.length === 0 ? `<p>${address === '' ? 'No mail yet.' : `No mail to ${escapeHtml(address)} yet.`}</p>` : mails.map(article).join('\n')}`
  return htmlPage('Mailbox', body, { isWide: true })
}

function linkTo(address: string): string {
  const query = new URLSearchParams({ address }).toString()
  return `<a href="/mailbox?${escapeHtml(query)}">${escapeHtml(address)}</a>`
}

function article({ from, to, subject, text, links, sentAt, code, id }: MailRow): string {
  const at = new Date(sentAt).toISOString()
  const typed = code?.length === 6 ? code : ''
  // Codes and links are shown below, so they are left out of the text.
  const rest = [typed, ...links].reduce((left, part) => left.replace(part, ''), text).trim()
  return `<article aria-labelledby="subject-${id}">
<h2 id="subject-${id}">${escapeHtml(subject)}</h2>
<div class="dim">From ${escapeHtml(from)} to ${linkTo(to)}, <time datetime="${at}">${at.slice(0, 19).replace('T', ' ')} UTC</time></div>
<pre>${escapeHtml(rest.replace(/\n{3,}/g, '\n\n'))}</pre>
${typed === '' ? '' : `<p>Code: <strong>${escapeHtml(typed)}</strong></p>`}
${links.flatMap(buttonTo).join('\n')}
</article>`
}

/** The button of a link, named by its page without secret or long parts. None if the link is relative, or runs a script. */
function buttonTo(link: string): string[] {
  const url = parseUrl(link)
  if (!url || !/^(https?|mailto):$/.test(url.protocol)) return []
  const { host, pathname, protocol } = url
  const page = protocol === 'mailto:' ? pathname : pathname === '/' ? host : pathname
  return [`<p><a href="${escapeHtml(link)}">Open ${escapeHtml(page)}</a></p>`]
}
