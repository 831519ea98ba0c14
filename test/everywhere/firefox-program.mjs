// Opens pages in Firefox by WebDriver BiDi and prints `runs`, or the first error. The pages are those of web.ts. The program runs in
// a process of its own, as Jest cannot load what is published as ES modules only.
import puppeteer from 'puppeteer-core'

const { executablePath, address, baseUrl, kind } = JSON.parse(process.argv[2])
const browser = await puppeteer.launch({ browser: 'firefox', executablePath, protocol: 'webDriverBiDi' })

const failed = new Promise((_resolve, reject) => {
  browser.failed = error => {
    reject(error)
  }
})

try {
  await Promise.race([failed, kind === 'ways' ? signInWays() : program()])
  console.log('runs')
} catch (error) {
  console.log(`Error: ${error.message}`)
  process.exitCode = 1
} finally {
  await browser.close()
}

async function open(path) {
  const page = await browser.newPage()
  page.on('pageerror', browser.failed)
  await page.goto(new URL(path, address).href)
  return page
}

/** The program of smoke.ts; its other tab is open first. */
async function program() {
  if (kind === 'tab') await open('/other')
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
  }
  await bothShow('the first page', 'signed out')
  await one.evaluate(`signIn({ email: 'ada@example.com', password: 'correct horse' })`)
  await bothShow('a password', 'ada@example.com')
  await refreshOnce(one, other)
  await returnSignedOut(one, other)

  await other.evaluate(`signIn({ email: 'ada@example.com', password: 'correct horse' })`)
  await other.evaluate('useTotp()')
  await other.evaluate('app.signOut()')
  await bothShow('a sign-out in the other tab', 'signed out')
  await one.evaluate(`signIn({ email: 'ada@example.com', password: 'correct horse' })`)
  await bothShow('a second factor', 'ada@example.com')
  await one.evaluate('app.signOut()')
  await bothShow('a sign-out', 'signed out')

  await one.evaluate(`app.sendMagicLinkEmail({ email: 'grace@example.com' })`)
  await one.goto(await mailedLink())
  await one.evaluate(
    `app.signInWithMagicLink({ code: new URLSearchParams(location.search).get('code') }).then(orThrow)`,
  )
  await bothShow('a magic link', 'grace@example.com')
  await one.evaluate('app.signOut()')

  await one.evaluate(`void app.signInWithOAuth({ provider: 'github' })`)
  const account = await one.waitForSelector('input[name=email]')
  await one.evaluate(`[...document.querySelectorAll('input[name=who]')].at(-1).click()`)
  await account.type('mary@example.com')
  await one.click('button[value=allow]')
  await bothShow('a provider', 'mary@example.com')
  await other.evaluate('app.signOut()')
  await bothShow('a sign-out of the other tab', 'signed out')
}

/** Both tabs want a new access token at once: the lock lets one of them ask for it. */
async function refreshOnce(one, other) {
  const refreshes = async () => {
    const { items } = await local('requests')
    return items.filter(({ path }) => path.endsWith('/oauth/token')).length
  }
  const before = await refreshes()
  await Promise.all([one, other].map(tab => tab.evaluate('app.accessToken({ minMillis: 3_600_000 })')))
  const sent = (await refreshes()) - before
  if (sent !== 1) throw new Error(`two tabs sent ${sent} refreshes`)
}

/** The page leaves, the other tab signs out, and the page comes back from the cache of the browser. */
async function returnSignedOut(one, other) {
  await one.goto(new URL('/away', address).href)
  await other.evaluate('app.signOut()')
  await one.goBack()
  await shows(one, 'a page that comes back after a sign-out', 'signed out')
  if ((await one.evaluate('returns')) !== 1)
    throw new Error('the page does not come back from the cache of the browser')
}

async function shows(page, what, text) {
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

async function local(path) {
  return (await fetch(`${baseUrl}/__local__/${path}`)).json()
}
