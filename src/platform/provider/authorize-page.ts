import { escapeHtml, htmlPage } from '../http/html'
import type { Reply } from '../http/reply'
import type { OfferedAccount } from './accounts'

/** A request for authorization, checked. */
export interface AuthorizeRequest {
  readonly provider: string
  /** The name that its owner has given it. */
  readonly displayName?: string | undefined
  readonly clientId: string
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string | null
  readonly codeChallenge: string
  readonly scopes: readonly string[]
}

/** The page that selects a user of the provider and the app's scopes. It posts to its own address. */
export function authorizePage(
  { provider: id, displayName = nameOf(id), scopes }: AuthorizeRequest,
  accounts: readonly OfferedAccount[],
  complaint?: string,
): Reply {
  const provider = escapeHtml(displayName)
  const isNew = accounts.length === 0 || complaint !== undefined
  const wrong = complaint === undefined ? '' : ' aria-invalid="true" aria-describedby="complaint"'
  const body = `
<p class="dim">This page stands in for ${provider} on the local platform. It asks for no password: choose an account.</p>
<form method="post">
${complaint === undefined ? '' : `<p role="alert" id="complaint">${escapeHtml(complaint)}</p>`}
<fieldset>
<legend>Account</legend>
${accounts.map((account, index) => choice(account, !isNew && index === 0)).join('\n')}
<label class="choice"><input type="radio" name="who" value=""${isNew ? ' checked' : ''}>
${accounts.length === 0 ? 'This account' : 'Another account'}</label>
<div class="new">
<label>E-mail address
<input type="email" name="email" autocomplete="off"${wrong}></label>
<label>Name (optional) <input name="name" autocomplete="off"></label>
<label>Account id (optional; the e-mail address unless given) <input name="account_id" autocomplete="off"></label>
<label><input type="checkbox" name="verified" checked> ${provider} has verified the address</label>
</div>
</fieldset>
<fieldset>
<legend>What the app may do</legend>
${scopes.map(scopeBox).join('\n') || '<p>Nothing in particular.</p>'}
</fieldset>
<button type="submit" name="decision" value="allow" formnovalidate>Continue</button>
<button type="submit" name="decision" value="refuse" formnovalidate>Refuse</button>
</form>`
  return htmlPage(`Sign in with ${displayName}`, body, { status: complaint === undefined ? 200 : 400 })
}

/** The provider's own spelling of its name. */
function nameOf(id: string): string {
  const names: Readonly<Record<string, string>> = { github: 'GitHub', gitlab: 'GitLab', linkedin: 'LinkedIn' }
  return names[id] ?? id.charAt(0).toUpperCase() + id.slice(1)
}

function choice({ accountId, displayName, email }: OfferedAccount, isChecked: boolean): string {
  const account = accountId.toLowerCase() === email.toLowerCase() ? '' : `account ${accountId}`
  const rest = [displayName === null ? '' : email, account].filter(part => part !== '').join(', ')
  return `<label class="choice"><input type="radio" name="who" value="${escapeHtml(accountId)}"${isChecked ? ' checked' : ''}>
<span>${escapeHtml(displayName ?? email)}${rest && ` <small>${escapeHtml(rest)}</small>`}</span></label>`
}

function scopeBox(scope: string): string {
  return `<label><input type="checkbox" name="scope" value="${escapeHtml(scope)}" checked> ${escapeHtml(scope)}</label>`
}
