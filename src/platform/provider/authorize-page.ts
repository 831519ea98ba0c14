import type { ProviderAccountRow } from '../oauth-tables'
import { escapeHtml, htmlPage } from '../pages/html'
import type { Reply } from '../reply'
import type { AuthorizeRequest } from './authorize'

/** The page on which a person says who signs in, and what the app may do. It posts to its own address. */
export function authorizePage(
  { provider, scopes }: AuthorizeRequest,
  accounts: readonly ProviderAccountRow[],
  complaint?: string,
): Reply {
  const body = `
<p>This is the local stand-in for ${escapeHtml(provider)}. Nobody checks a password here: say who signs in.</p>
${complaint === undefined ? '' : `<p role="alert" id="complaint">${escapeHtml(complaint)}</p>`}
<form method="post">
<fieldset>
<legend>Who signs in</legend>
${accounts.map(knownAccount).join('\n')}
<label><input type="radio" name="who" value=""${accounts.length === 0 || complaint !== undefined ? ' checked' : ''}>
${accounts.length === 0 ? 'This account' : 'Another account'}</label>
<label>E-mail address
<input type="email" name="email" autocomplete="off"${complaint === undefined ? '' : ' aria-invalid="true" aria-describedby="complaint"'}></label>
<label>Name (optional) <input name="name" autocomplete="off"></label>
<label>Account id (optional; the e-mail address unless given) <input name="account_id" autocomplete="off"></label>
<label><input type="checkbox" name="verified" checked> ${escapeHtml(provider)} has verified the address</label>
</fieldset>
<fieldset>
<legend>What the app may do</legend>
${scopes.map(scopeBox).join('\n') || '<p>Nothing in particular.</p>'}
</fieldset>
<button type="submit" name="decision" value="allow">Continue</button>
<button type="submit" name="decision" value="refuse" formnovalidate>Refuse</button>
</form>`
  return htmlPage(`Sign in with ${provider}`, body, complaint === undefined ? 200 : 400)
}

function knownAccount({ accountId, displayName, email }: ProviderAccountRow, index: number): string {
  const account = accountId === email ? '' : `account ${accountId}`
  const rest = [displayName === null ? '' : email, account].filter(part => part !== '').join(', ')
  const name = `${displayName ?? email}${rest && ` (${rest})`}`
  const checked = index === 0 ? ' checked' : ''
  return `<label><input type="radio" name="who" value="${escapeHtml(accountId)}"${checked}> ${escapeHtml(name)}</label>`
}

function scopeBox(scope: string): string {
  return `<label><input type="checkbox" name="scope" value="${escapeHtml(scope)}" checked> ${escapeHtml(scope)}</label>`
}
