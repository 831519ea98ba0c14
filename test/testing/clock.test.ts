import { EventEmitter } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Cookie } from '@playwright/test'
import { systemClock } from 'rxauth'
import { createPlatform, virtualClock } from 'rxauth/platform'
import { createServerApp, verifyWebhook } from 'rxauth/server'
import { backendClock } from '../../src/testing/backends'
import { TestTime } from '../../src/testing/clock'

const start = Date.UTC(2026, 0, 1)
const hour = 3_600_000

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rxauth-clock-'))
  file = join(folder, 'moved')
})

afterEach(() => {
  delete process.env['RXAUTH_CLOCK_FILE']
  rmSync(folder, { recursive: true })
})

const fileText = () => (existsSync(file) ? readFileSync(file, 'utf8') : '')

/** The test has a backend that moves, as its process has said. */
function withBackend(): void {
  process.env['RXAUTH_CLOCK_FILE'] = file
  writeFileSync(`${file}.loaded`, '')
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve()
}

/** The time of a test with browsers that write down what happens to them, and with the time of the platform then. */
async function stage({ browsers = 1, workers = 1, jar = [] as Partial<Cookie>[] } = {}) {
  const time = new TestTime(undefined, virtualClock())
  const said: string[] = []
  const cookies = [...jar]
  const browser = (name: string) => {
    const say = (what: string) => (given: number) => {
      said.push(`${name} ${what} ${given}, platform +${time.now() - start}, backends ${fileText()}`)
      return Promise.resolve()
    }
    return Object.assign(new EventEmitter(), {
      pages: () => [],
      cookies: () => Promise.resolve(cookies.map(cookie => ({ domain: 'app', path: '/', expires: -1, ...cookie }))),
      clearCookies: ({ name }: { readonly name: string }) => {
        cookies.splice(
          cookies.findIndex(cookie => cookie.name === name),
          1,
        )
        return Promise.resolve()
      },
      clock: {
        install: ({ time }: { readonly time: number }) => say('install')(time - start),
        fastForward: say('fastForward'),
        runFor: say('runFor'),
        setSystemTime: (at: number) => say('setSystemTime')(at - start),
      },
    }) as unknown as BrowserContext
  }
  for (let count = 0; count < browsers; count++) await time.join(browser(`browser ${count}`))
  return { browser, cookies, said, time, install: () => time.install(workers) }
}

it('pages have no clock of their own before the test asks for it', async () => {
  const { said } = await stage()
  expect(said).toEqual([])
})

// Promise: playwright-clock
it('sleep moves the platform, then backends, then the pages of every browser', async () => {
  withBackend()
  const { install, said, time } = await stage({ browsers: 2 })
  await install()
  await time.sleep('8h')
  const at = `${8 * hour}, platform +${8 * hour}, backends ${8 * hour}`
  expect(said.slice(2)).toEqual([
    `browser 0 fastForward ${at}`,
    `browser 1 fastForward ${at}`,
    // Playwright's own clock, or a slow machine, may have moved one of them.
    `browser 0 setSystemTime ${at}`,
    `browser 1 setSystemTime ${at}`,
  ])
  await time.end()
  expect(fileText()).toBe('')
})

it('a sleep in which timers stand still sets only the time of pages', async () => {
  const { install, said, time } = await stage()
  await install()
  await time.sleep('8h', { stopsTimers: true })
  expect(said.slice(1)).toEqual([`browser 0 setSystemTime ${8 * hour}, platform +${8 * hour}, backends `])
})

it('a browser that is opened later starts at the moved time, with the difference of the pages', async () => {
  const { browser, install, said, time } = await stage({ browsers: 0 })
  await install()
  await time.sleep('8h')
  await time.skewPages('-1h')
  await time.join(browser('later'))
  expect(said).toEqual([`later install ${7 * hour}, platform +${8 * hour}, backends `])
})

it('advance moves in steps, pages after the platform, and corrects the pages at the end', async () => {
  const { install, said, time } = await stage()
  await install()
  await time.advance('2500ms')
  expect(said.slice(1)).toEqual([
    'browser 0 runFor 1000, platform +1000, backends ',
    'browser 0 runFor 1000, platform +2000, backends ',
    'browser 0 runFor 500, platform +2500, backends ',
    'browser 0 setSystemTime 2500, platform +2500, backends ',
  ])
})

// Promise: playwright-clock
it('the platform answers nothing while the time moves', async () => {
  const { browser, install, said, time } = await stage({ browsers: 0 })
  let answerOldRequest: (() => void) | undefined
  const old = time.gate.through(() => new Promise<void>(resolve => (answerOldRequest = resolve)))
  void old.then(() => said.push('old answer'))
  const context = browser('browser')
  Object.assign(context.clock, {
    fastForward: async () => {
      void time.gate.through(() => Promise.resolve()).then(() => said.push('new answer'))
      answerOldRequest?.()
      for (let turn = 0; turn < 20; turn++) await Promise.resolve()
      said.push('moved')
    },
  })
  await time.join(context)
  await install()
  await time.sleep('8h')
  await old
  await turns()
  expect(said.filter(text => !text.startsWith('browser'))).toEqual(['moved', 'old answer', 'new answer'])
})

// Promise: playwright-clock-in-step
it.each(['sleep', 'advance'] as const)(
  '%s moves everything although a timer of a page throws, and then says so',
  async call => {
    const { browser, install, said, time } = await stage({ browsers: 0 })
    const context = browser('throws')
    await time.join(context)
    await time.join(browser('other'))
    await install()
    const cause = new Error('boom')
    const refuse = () => Promise.reject(cause)
    Object.assign(context.clock, { fastForward: refuse, runFor: refuse })
    await expect(time[call]('3s')).rejects.toMatchObject({
      message: 'a page failed while its clock was set (the others are set): boom',
      cause,
    })
    expect(said.at(-1)).toBe('other setSystemTime 3000, platform +3000, backends ')
    expect(await time.gate.through(() => Promise.resolve('answer'))).toBe('answer')
    // Once.
    await time.skewPages(0)
  },
)

// Promise: playwright-clock-in-step
it('a browser may be closed at any time', async () => {
  const { browser, install, said, time } = await stage({ browsers: 0 })
  const context = browser('closed')
  await time.join(context)
  await time.join(browser('other'))
  await install()
  const refuse = () => Promise.reject(new Error('clock.runFor: Target page, context or browser has been closed'))
  Object.assign(context.clock, { runFor: refuse, setSystemTime: refuse })
  await time.advance('2s')
  expect(said.at(-1)).toBe('other setSystemTime 2000, platform +2000, backends ')
  // Playwright never answers some calls that were under way.
  Object.assign(context, { cookies: () => new Promise(() => undefined) })
  const slept = time.sleep('1s')
  await turns()
  ;(context as unknown as EventEmitter).emit('close')
  await slept
  expect(said.at(-1)).toBe('other setSystemTime 3000, platform +3000, backends ')
})

// Promise: playwright-clock-in-step
it('calls at the same time run one after the other, and a browser joins between them', async () => {
  const { browser, install, said, time } = await stage()
  await install()
  await Promise.all([time.sleep('1h'), time.join(browser('new')), time.skewPages('1m'), time.advance('1s')])
  const [one, two] = [`, platform +${hour}, backends `, `, platform +${hour + 1000}, backends `]
  expect(said.slice(1)).toEqual([
    `browser 0 fastForward ${hour}${one}`,
    `browser 0 setSystemTime ${hour}${one}`,
    `new install ${hour}${one}`,
    `browser 0 setSystemTime ${hour + 60_000}${one}`,
    `new setSystemTime ${hour + 60_000}${one}`,
    `browser 0 runFor 1000${two}`,
    `new runFor 1000${two}`,
    `browser 0 setSystemTime ${hour + 61_000}${two}`,
    `new setSystemTime ${hour + 61_000}${two}`,
  ])
})

// Promise: playwright-clock-in-step
it('a call that the test did not wait for moves nothing after its end', async () => {
  withBackend()
  const { browser, install, time } = await stage({ browsers: 0 })
  const context = browser('slow')
  await time.join(context)
  await install()
  let step = (): void => undefined
  Object.assign(context.clock, { runFor: () => new Promise<void>(resolve => (step = resolve)) })
  const advanced = time.advance('4h')
  const refused = expect(advanced).rejects.toThrow('it needs `await` before the call, or more time')
  await turns()
  const ended = time.end()
  step()
  await Promise.all([refused, ended])
  expect(fileText()).toBe('')
  await expect(time.sleep('1h')).rejects.toThrow('the test ended before its clock had moved')
})

// Promise: playwright-clock-in-step
it('a page that was opened before the test has its clock is refused', async () => {
  const { browser, install, time } = await stage({ browsers: 0 })
  const pages = () => ['about:blank', 'http://localhost/app'].map(url => ({ url: () => url }))
  const context = browser('opened')
  Object.assign(context, { pages })
  await time.join(context)
  await expect(install()).rejects.toThrow(
    'http://localhost/app was opened before the test had its clock, so its timers would not move: name the fixture `clock` in the hook',
  )
})

// Promise: playwright-clock
it('cookies that expire meanwhile are deleted, by the time when each was first seen', async () => {
  // The browser's own clock, which does not move.
  const now = systemClock.now() / 1000
  const { cookies, install, time } = await stage({
    jar: [{ name: 'session' }, { name: 'short', expires: now + 3600 }, { name: 'long', expires: now + 36_000 }],
  })
  const names = () => cookies.map(({ name }) => name)
  await install()
  await time.sleep('30m')
  expect(names()).toEqual(['session', 'short', 'long'])
  await time.sleep('31m')
  expect(names()).toEqual(['session', 'long'])
  cookies.push({ name: 'new', expires: now + 3601 })
  await time.sleep('59m')
  expect(names()).toEqual(['session', 'long', 'new'])
  await time.sleep('2m')
  expect(names()).toEqual(['session', 'long'])
})

it('a virtual clock of the platform moves as well, and backends have its time', async () => {
  withBackend()
  const clock = virtualClock(new Date(start - 24 * hour))
  const time = new TestTime(clock, virtualClock())
  await time.install(1)
  expect(fileText()).toBe(String(-24 * hour))
  await time.sleep('8h')
  expect(clock.now()).toBe(start - 16 * hour)
  expect(fileText()).toBe(String(-16 * hour))
})

// Promise: webhook-time
it.each([
  ['that moves: the moved time', true, 8 * hour],
  ['that does not: the real time', false, 0],
])('webhooks are signed for a backend %s', async (_which, isMoved, millis) => {
  if (isMoved) withBackend()
  const system = virtualClock()
  const time = new TestTime(undefined, system)
  const platform = createPlatform({ clock: time.clock })
  const sentAt = new Promise<Date>((resolve, reject) => {
    const handler = async (request: Request) => {
      const clock = isMoved ? time.clock : system
      await verifyWebhook(request, platform.webhooks.secret, { clock }).then(event => {
        resolve(event.sentAt)
      }, reject)
      return undefined
    }
    platform.webhooks.add({ handler })
  })
  await time.install(1)
  await time.sleep('8h')
  await createServerApp(platform.serverOptions).createUser({ primaryEmail: 'ada@example.com' })
  expect((await sentAt).getTime()).toBe(start + millis)
})

it('tests that run at the same time cannot share a backend', async () => {
  withBackend()
  const { install } = await stage({ workers: 2 })
  await expect(install()).rejects.toThrow('set workers: 1 in playwright.config.ts, not 2')
})

// Promise: playwright-clock-in-step
it('a backend that was running before the tests is found out', async () => {
  process.env['RXAUTH_CLOCK_FILE'] = file
  const { install } = await stage()
  await expect(install()).rejects.toThrow(
    'no Node process has backendClock(), so the time of the backend would not move: the server was running before the tests (`reuseExistingServer`)',
  )
})

it('the environment of a backend keeps the options that Node has, and names the same file each time', () => {
  const before = process.env['NODE_OPTIONS']
  process.env['NODE_OPTIONS'] = '--no-warnings'
  const env = backendClock()
  expect(env['NODE_OPTIONS']).toMatch(/^--no-warnings --require ".*\/testing\/backend-clock\.cjs"$/)
  expect(backendClock()).toEqual(env)
  expect(process.env['RXAUTH_CLOCK_FILE']).toBe(env['RXAUTH_CLOCK_FILE'])
  if (before === undefined) delete process.env['NODE_OPTIONS']
  else process.env['NODE_OPTIONS'] = before
})
