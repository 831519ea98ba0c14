import type { OpenEngine } from '../engine'
import { normalizeEmail } from '../normalize-email'
import type { Reply } from '../reply'
import type { MailRow } from '../tables'
import { escapeHtml, htmlPage } from './html'

/** Every mail that was sent, newest first; `?address=` shows one address only. */
export function mailboxPage({ database }: OpenEngine, { searchParams }: URL): Reply {
  const address = normalizeEmail(searchParams.get('address') ?? '')
  const { mails: all } = database
  const mails = (address === '' ? all.rows() : all.by('to', address)).reverse()
  const addresses = [...new Set(all.rows().map(({ to }) => to))].sort()
  const body = `
<p>Nothing leaves this machine: what the local platform sends is shown here.</p>
<form method="get">
<label>Address <input type="search" name="address" value="${escapeHtml(address)}" list="addresses"></label>
<datalist id="addresses">${addresses.map(each => `<option value="${escapeHtml(each)}">`).join('')}</datalist>
<button type="submit">Show</button>
${address === '' ? '' : '<a href="/mailbox">Show every address</a>'}
</form>
${mails.length === 0 ? '<p>No mail yet.</p>' : mails.map(article).join('\n')}`
  return htmlPage('Mailbox', body)
}

function article({ from, to, subject, text, links, sentAt, code, id }: MailRow): string {
  const at = new Date(sentAt).toISOString()
  const rest = links.reduce((left, link) => left.replace(link, ''), text).trim()
  return `<article aria-labelledby="subject-${id}">
<h2 id="subject-${id}">${escapeHtml(subject)}</h2>
<p>From ${escapeHtml(from)} to <a href="/mailbox?${escapeHtml(new URLSearchParams({ address: to }).toString())}">${escapeHtml(to)}</a>, <time datetime="${at}">${at}</time></p>
<pre>${escapeHtml(rest)}</pre>
${code !== null && code.length === 6 ? `<p>Code: <strong>${escapeHtml(code)}</strong></p>` : ''}
${links.map(link => `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`).join('\n')}
</article>`
}
