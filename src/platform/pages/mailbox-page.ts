import { parseUrl } from '../../core/urls'
import type { OpenEngine } from '../model/engine'
import { normalizeEmail } from '../model/users'
import type { Reply } from '../http/reply'
import { seededUsers } from '../provider/clients'
import type { MailRow } from '../model/emails'
import { escapeHtml, htmlPage } from '../http/html'

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
