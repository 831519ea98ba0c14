// Opens pages in Firefox by WebDriver BiDi and prints `runs`, or the first error. The pages are those of web.ts. The program runs in
// a process of its own, as Jest cannot load what is published as ES modules only.
import puppeteer from 'puppeteer-core'

const { executablePath, address, baseUrl, kind } = JSON.parse(process.argv[2])
const browser = await puppeteer.launch({ browser: 'firefox', executablePath, protocol: 'webDriverBiDi' })

/** The last step that both tabs have shown. */
let last = 'nothing'
const failed = new Promise((_resolve, reject) => {
  browser.failed = error => {
    reject(error)
  }
})

try {
  await Promise.race([failed, kind === 'ways' ? signInWays() : program()])
  console.log('runs')
} catch (error) {
  console.log(`Error: after ${last}: ${error.message}`)
  process.exitCode = 1
} finally {
  await browser.close()
}

async function open(path) {
  const page = await browser.newPage()
  // Firefox also tells of the icon that the page of a provider forbids itself.
  page.on('pageerror', error => {
    if (page.url().startsWith(address)) browser.failed(error)
  })
  await page.goto(new URL(path, address).href)
  return page
}

/** The program of smoke.ts in a worker; its page is the other tab. */
async function program() {
  const page = await open('/page')
  const said = await page.evaluate('result')
  if (said !== undefined && said !== 'runs') throw new Error(said)
}

/** Two tabs, of which one signs in in each way; the other one follows. */
async function signInWays() {
  const [one, other] = [await open('/page'), await open('/page')]
  const bothShow = async (what, text) => {
    await shows(one, what, text)
    await shows(other, what, text)
    last = what
  }
  await bothShow('the first page', 'signed out')
  await one.evaluate(`signIn({ email: 'ada@example.com', password: 'correct horse' })`)
  await bothShow('a password', 'ada@example.com')
  await other.evaluate('useTotp()')
  await other.evaluate('app.signOut()')
  await bothShow('a sign-out in the other tab', 'signed out')
  await one.evaluate(`signIn({ email: 'ada@example.com', password: 'correct horse' })`)
  await bothShow('a second factor', 'ada@example.com')
  await one.evaluate('app.signOut()')
  await bothShow('a sign-out', 'signed out')

  await one.evaluate(`app.sendMagicLinkEmail({ email: 'grace@example.com' })`)
  const linked = await open(await mailedLink())
  await linked.evaluate(
    `app.signInWithMagicLink({ code: new URLSearchParams(location.search).get('code') }).then(orThrow)`,
  )
  await bothShow('a magic link', 'grace@example.com')
  await linked.close()

  const third = await open('/page')
  await third.evaluate(`app.signOut().then(() => void app.signInWithOAuth({ provider: 'github' }))`)
  const account = await third.waitForSelector('input[name=email]')
  await third.evaluate(`[...document.querySelectorAll('input[name=who]')].at(-1).click()`)
  await account.type('mary@example.com')
  await third.click('button[value=allow]')
  await bothShow('a provider', 'mary@example.com')
  await refreshOnce(one, other)
  await returnSignedOut(one, other)
}

/** The access token has ended for the platform, which both tabs learn at once: the lock lets one of them refresh it. */
async function refreshOnce(one, other) {
  await local('time', { forwardMillis: 11 * 60_000 })
  const refreshes = async () => {
    const { items } = await local('requests')
    return items.filter(({ path }) => /\/(oauth\/token|sessions\/current\/refresh)$/.test(path)).length
  }
  const before = await refreshes()
  await Promise.all([one, other].map(tab => tab.evaluate('app.user$.refresh().then(() => {})')))
  const sent = (await refreshes()) - before
  if (sent !== 1) throw new Error(`two tabs sent ${sent} refreshes`)
}

/** The page leaves, the other tab signs out, and the page comes back from the cache of the browser. */
async function returnSignedOut(one, other) {
  await one.goto(new URL('/away', address).href)
  await other.evaluate('app.signOut()')
  // The driver waits for the load of a page, which does not load again.
  await one.evaluate('history.back()')
  await shows(one, 'a page that comes back after a sign-out', 'signed out')
  if ((await one.evaluate('returns')) !== 1)
    throw new Error('the page does not come back from the cache of the browser')
}

/** Firefox shows one tab at a time, and a hidden page loads nothing until it is shown. */
async function shows(page, what, text) {
  await page.bringToFront()
  await page
    .waitForFunction(wanted => document.querySelector('main').textContent === wanted, {}, text)
    .catch(async () => {
      const shown = await page.evaluate(`document.querySelector('main')?.textContent`)
      throw new Error(`${what}: ${page.url()} shows "${shown}", not "${text}"`)
    })
}

async function mailedLink() {
  const { items } = await local('mails')
  return items[0].links[0]
}

/** Of the local platform; with a body it is sent. */
async function local(path, body) {
  const headers = { 'content-type': 'application/json' }
  const options = body && { method: 'POST', headers, body: JSON.stringify(body) }
  return (await fetch(`${baseUrl}/__local__/${path}`, options)).json()
}
