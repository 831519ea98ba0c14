import { text, until } from './pages.mjs'

const ada = { email: 'ada@example.com', password: 'correct horse' }

/** Two tabs, of which one signs in in each way; the other one follows. */
export async function signInWays(browser, given) {
  const { one, other, bothShow } = await twoTabs(browser, given)
  await one.evaluate(`signIn(${text(ada)})`)
  await bothShow('a password', ada.email)
  await other.evaluate('useTotp()')
  await other.evaluate('app.signOut()')
  await bothShow('a sign-out in the other tab', 'signed out')
  await one.evaluate(`signIn(${text(ada)})`)
  await bothShow('a second factor', ada.email)
  await one.evaluate('app.signOut()')
  await bothShow('a sign-out', 'signed out')

  await one.evaluate(`app.sendMagicLinkEmail({ email: 'grace@example.com' })`)
  const { items } = await local(given, 'mails')
  const linked = await browser.open(items[0].links[0])
  await linked.evaluate(
    `app.signInWithMagicLink({ code: new URLSearchParams(location.search).get('code') }).then(orThrow)`,
  )
  await bothShow('a magic link', 'grace@example.com')
  await linked.close()

  const third = await browser.open(`${given.address}/page`)
  await third.evaluate(`app.signOut().then(() => void app.signInWithOAuth({ provider: 'github' }))`)
  const someoneElse = `[...document.querySelectorAll('input[name=who]')].at(-1)`
  await until(third, 'the page of a provider', someoneElse)
  await third.evaluate(`${someoneElse}.click()`)
  await third.type(`document.querySelector('input[name=email]')`, 'mary@example.com')
  await third.click(`document.querySelector('button[value=allow]')`)
  await bothShow('a provider', 'mary@example.com')

  const { length } = await refreshBoth(given, one, other)
  if (length !== 1) throw new Error(`two tabs sent ${length} refreshes`)
  await returnSignedOut(browser, given, other, 'mary@example.com')
}

/** Two tabs that refresh for themselves: the platform refuses the token that the other tab has replaced, and both stay signed in. */
export async function signInWithoutLocks(browser, given) {
  const { one, other, bothShow } = await twoTabs(browser, given)
  /** Both tabs read the new refresh token. A browser shows a cookie of one tab to another a moment later. */
  const bothRead = async run => {
    const token = '/stack-refresh[^;]*/.exec(document.cookie)?.[0]'
    const before = await one.evaluate(token)
    await run()
    for (const tab of [one, other]) await until(tab, 'a new refresh token', `${token} !== ${text(before)}`)
  }
  await one.evaluate(`signIn(${text(ada)})`)
  await bothShow('a password', ada.email)
  await endAccess(given)
  // Both tabs know by this that the platform replaces refresh tokens.
  await bothRead(() => one.evaluate(refresh))
  await bothRead(async () => {
    // The tab that is refused before it can read the new token has an error that passes.
    const passing = `error => { if (error.code !== 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED') throw error }`
    const sent = await refreshBoth(given, one, other, `${refresh}.catch(${passing})`)
    if (!areAtOnce(sent)) throw new Error(`two tabs without locks sent ${sent.length} refreshes one after the other`)
  })
  for (const tab of [one, other]) await tab.evaluate(refresh)
  await bothShow('two refreshes', ada.email)
  await other.evaluate('app.signOut()')
  await bothShow('a sign-out in the other tab', 'signed out')
}

async function twoTabs({ open }, { address }) {
  const [one, other] = [await open(`${address}/page`), await open(`${address}/page`)]
  const bothShow = async (what, wanted) => {
    await shows(one, what, wanted)
    await shows(other, what, wanted)
  }
  await bothShow('the first page', 'signed out')
  return { one, other, bothShow }
}

const shows = (tab, what, wanted) => until(tab, what, `document.querySelector('main').textContent === ${text(wanted)}`)

const refresh = 'app.user$.refresh().then(() => {})'

/** The platform refuses the access tokens that it has given. */
const endAccess = given => local(given, 'time', { forwardMillis: 11 * 60_000 })

/** The refreshes of two tabs whose access token ends at once. An answer takes long enough for both to be under way. */
async function refreshBoth(given, one, other, refreshing = refresh) {
  await endAccess(given)
  await local(given, 'faults', { route: 'POST /auth/oauth/token', fault: { delayMillis: 2_000 } })
  const refreshes = async () => {
    const { items } = await local(given, 'requests')
    return items.filter(({ path }) => path.endsWith('/oauth/token'))
  }
  const before = new Set((await refreshes()).map(({ id }) => id))
  for (const tab of [one, other]) await tab.evaluate(`void (globalThis.refreshed = ${refreshing})`)
  for (const tab of [one, other]) await tab.evaluate('refreshed')
  return (await refreshes()).filter(({ id }) => !before.has(id))
}

/** Whether one of these requests came before another one was answered. */
function areAtOnce(requests) {
  const begun = requests.map(({ at, tookMillis }) => ({ from: Date.parse(at), to: Date.parse(at) + tookMillis }))
  return begun.some((one, index) => begun.some((other, at) => at < index && one.from < other.to && other.from < one.to))
}

/** A page leaves, another tab signs out, and the page comes back from the cache of the browser. */
async function returnSignedOut({ open }, { address }, other, email) {
  // One that has not waited for a lock: Firefox may not keep such a page, though it holds none any more.
  const page = await open(`${address}/page`)
  await shows(page, 'a page that will leave', email)
  await page.goto(`${address}/away`)
  await other.evaluate('app.signOut()')
  // The driver waits for the load of a page, which does not load again.
  await page.evaluate('void history.back()')
  await shows(page, 'a page that comes back after a sign-out', 'signed out')
  if ((await page.evaluate('returns')) !== 1)
    throw new Error('the page does not come back from the cache of the browser')
}

/** Of the local platform; with a body it is sent. */
async function local({ baseUrl }, path, body) {
  const headers = { 'content-type': 'application/json' }
  const options = body && { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(`${baseUrl}/__local__/${path}`, options)
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  return response.json()
}
