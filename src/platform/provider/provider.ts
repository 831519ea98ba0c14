import { presentIn } from '../../core/values'
import type { OpenEngine } from '../model/engine'
import { providerIds } from '../model/projects'
import { bareReply, textType, type Reply } from '../http/reply'
import { appleToken, accountOfToken, claimsOf, configuredAt, offeredAccounts, providerAccount } from './token'
import { callbackUrl, isClientOf, splitScopes } from './token'
import { escapeHtml, htmlPage } from '../http/html'
import { randomText } from '../model/random-text'
import type { OfferedAccount } from './token'
import type { ProviderUser } from '../model/oauth'

// Written by hand: it runs in process and in browsers; libraries for OpenID providers need a server with sessions.

/**
 * The page of each provider under the platform's own address, and the account of a token that it has issued. It replaces github,
 * google, the others and those of projects, so that tests need neither their accounts nor a network. The platform itself is its only
 * client, and redeems codes without a request.
 */
export async function answerProvider(engine: OpenEngine, path: string, request: Request): Promise<Reply> {
  const [, provider = '', rest = ''] = /^\/oauth-provider\/([^/]+)\/(.+)$/.exec(path) ?? []
  const isKnown = (providerIds as readonly string[]).includes(provider)
  if (!isKnown && !configuredAt(engine.database, provider)) return nothing()
  switch (`${request.method} ${rest}`) {
    case 'GET authorize':
    case 'POST authorize':
      return authorize(engine, provider, request)
    case 'POST native-token':
      return provider === 'apple' ? nativeToken(engine, new URLSearchParams(await request.text())) : nothing()
    case 'GET userinfo': {
      const account = accountOfToken(engine, request.headers.get('authorization'))
      if (account?.provider === provider) return json(claimsOf(account))
      return bareReply(401, { 'www-authenticate': 'Bearer error="invalid_token"' })
    }
    default:
      return nothing()
  }
}

function json(body: object, status = 200): Reply {
  return bareReply(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }, JSON.stringify(body))
}

/** Returns the identity token that iOS gives an app, to a script: `bundle_id`, `email`, and `account_id` or `name`. */
async function nativeToken(engine: OpenEngine, form: URLSearchParams): Promise<Reply> {
  const [bundleId, email, accountId, displayName] = ['bundle_id', 'email', 'account_id', 'name'].map(name =>
    form.get(name),
  )
  if (!bundleId || !email) return json({ error: 'invalid_request' }, 400)
  const user = { email, ...(accountId && { accountId }), ...(displayName && { displayName }) }
  return json({ id_token: await appleToken(engine, { bundleId, user }) })
}

function nothing(): Reply {
  return bareReply(404, { 'content-type': textType }, 'The local provider has nothing here.')
}

/** A minute, which is enough for a redirect. */
const codeLifetimeMillis = 60_000

/** The authorization endpoint: shows the page, or uses the answer that a test has queued. */
export async function authorize(engine: OpenEngine, provider: string, request: Request): Promise<Reply> {
  const url = new URL(request.url)
  const asked = readRequest(engine, provider, url)
  if (typeof asked === 'string')
    return htmlPage('This sign-in cannot continue', `<p role="alert">${escapeHtml(asked)}</p>`, { status: 400 })
  if (request.method === 'POST') return answer(engine, asked, new URLSearchParams(await request.text()))
  const { nextUsers } = engine
  const [next] = nextUsers
  if (next === undefined) return authorizePage(asked, offeredAccounts(engine.database, asked))
  // After the commit: a sign-in that fails leaves the user in the queue.
  engine.afterCommit(() => void nextUsers.shift())
  return next === 'refuses' ? back(asked, refusal) : grant(engine, asked, next)
}

/** The checked request, or its error. Nothing in it is trusted: errors are shown and do not redirect. */
function readRequest({ database }: OpenEngine, provider: string, url: URL) {
  const sent = (name: string) => url.searchParams.get(name) ?? ''
  if (!isClientOf(database, provider, sent('client_id'))) return 'The client_id is not registered here.'
  if (sent('redirect_uri') !== callbackUrl(url.origin, provider)) return 'The redirect_uri is not registered here.'
  if (sent('response_type') !== 'code') return 'The response_type must be "code".'
  if (sent('code_challenge_method') !== 'S256' || sent('code_challenge') === '')
    return 'A code_challenge by the method S256 is required.'
  return {
    provider,
    /** The name that its owner has given it. */
    displayName: configuredAt(database, provider)?.displayName,
    clientId: sent('client_id'),
    redirectUri: sent('redirect_uri'),
    state: sent('state'),
    codeChallenge: sent('code_challenge'),
    scopes: splitScopes(sent('scope')),
  }
}

function answer(engine: OpenEngine, asked: AuthorizeRequest, form: URLSearchParams): Reply {
  if (form.get('decision') === 'refuse') return back(asked, refusal)
  const accounts = offeredAccounts(engine.database, asked)
  const known = accounts.find(({ accountId }) => accountId === form.get('who'))
  const scopes = asked.scopes.filter(scope => form.getAll('scope').includes(scope))
  if (known) {
    const { email, accountId, isVerified, displayName } = known
    const named = displayName !== null && { displayName }
    return grant(engine, asked, { email, accountId, verified: isVerified, scopes, ...named })
  }
  const given = (name: string) => form.get(name)?.trim() ?? ''
  const email = given('email')
  if (!/^[^\s@]+@[^\s@]+$/.test(email))
    return authorizePage(asked, accounts, 'Enter an e-mail address, such as ada@example.com.')
  const [displayName, accountId] = [given('name') || undefined, given('account_id') || undefined]
  const user = { email, verified: form.has('verified'), scopes, ...presentIn({ displayName, accountId }) }
  return grant(engine, asked, user)
}

function grant({ database, clock }: OpenEngine, asked: AuthorizeRequest, user: ProviderUser): Reply {
  const { clientId, redirectUri, codeChallenge, provider } = asked
  const code = database.providerGrants.put({
    id: randomText(),
    kind: 'code',
    accountRowId: providerAccount(database, provider, user).id,
    clientId,
    redirectUri,
    codeChallenge,
    scopes: splitScopes((user.scopes ?? asked.scopes).join(' ')),
    expiresAt: clock.now() + codeLifetimeMillis,
  }).id
  return back(asked, { code })
}

const refusal = { error: 'access_denied', error_description: 'The user refused.' }

function back({ redirectUri, state }: AuthorizeRequest, parameters: Readonly<Record<string, string>>): Reply {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries({ ...parameters, state })) url.searchParams.set(name, value)
  return bareReply(303, { location: url.href })
}

type AuthorizeRequest = Exclude<ReturnType<typeof readRequest>, string>

/** The page that selects a user of the provider and the app's scopes. It posts to its own address. */
function authorizePage(
  { provider: id, displayName = nameOf(id), scopes }: AuthorizeRequest,
  accounts: readonly OfferedAccount[],
  complaint?: string,
): Reply {
  const provider = escapeHtml(displayName)
  const isNew = accounts.length === 0 || complaint !== undefined
  const wrong = complaint === undefined ? '' : ' aria-invalid="true" aria-describedby="complaint"'
  const boxOf = (scope: string) =>
    `<label><input type="checkbox" name="scope" value="${scope}" checked> ${scope}</label>`
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
${scopes.map(escapeHtml).map(boxOf).join('\n') || '<p>Nothing in particular.</p>'}
</fieldset>
<button type="submit" name="decision" value="allow" formnovalidate>Continue</button>
<button type="submit" name="decision" value="refuse" formnovalidate>Refuse</button>
</form>`
  return htmlPage(`Sign in with ${displayName}`, body, { status: complaint === undefined ? 200 : 400 })
}

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
