import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Cookie } from '@playwright/test'
import { systemClock } from 'rxauth'
import { virtualClock } from 'rxauth/platform'
import { backendClock, millisOf, TestTime } from '../../src/testing/clock'
import type { Duration } from '../../src/testing/clock'

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

const fileText = () => (process.env['RXAUTH_CLOCK_FILE'] === undefined ? '' : readFileSync(file, 'utf8'))

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
    return {
      once: () => undefined,
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
    } as unknown as BrowserContext
  }
  for (let count = 0; count < browsers; count++) await time.join(browser(`browser ${count}`))
  return { browser, cookies, said, time, install: () => time.install(workers) }
}

describe('a duration', () => {
  it.each<[Duration, number]>([
    [1500, 1500],
    ['8h', 8 * hour],
    ['5m', 300_000],
    ['30s', 30_000],
    ['250ms', 250],
    ['1.5h', 1.5 * hour],
    ['+1d', 24 * hour],
    ['-10m', -600_000],
  ])('%p is %d ms', (duration, millis) => {
    expect(millisOf('sleep', duration)).toBe(millis)
  })

  it.each(['8 hours', '8', '', 'h', '1h30m', '8H', NaN, Infinity, null, undefined, {}])('%p is refused', given => {
    expect(() => millisOf('sleep', given as Duration)).toThrow(
      `clock.sleep takes milliseconds or a text such as 8h, 5m or 30s, not ${typeof given === 'number' ? given : JSON.stringify(given)}`,
    )
  })

  it.each(['sleep', 'advance'] as const)('of %s is not negative', async call => {
    const { time } = await stage()
    await expect(time[call]('-8h')).rejects.toThrow(`clock.${call} moves the time forward, not by -8h`)
    expect(time.now()).toBe(start)
  })
})

it('pages have no clock of their own before the test asks for it', async () => {
  const { said } = await stage()
  expect(said).toEqual([])
})

it('sleep moves the platform, then backends, then the pages of every browser', async () => {
  process.env['RXAUTH_CLOCK_FILE'] = file
  const { install, said, time } = await stage({ browsers: 2 })
  await install()
  await time.sleep('8h')
  const moved = `fastForward ${8 * hour}, platform +${8 * hour}, backends ${8 * hour}`
  expect(said.slice(2)).toEqual([`browser 0 ${moved}`, `browser 1 ${moved}`])
  time.end()
  expect(fileText()).toBe('0')
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
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  expect(said.slice(1)).toEqual(['moved', 'old answer', 'new answer'])
  await time.gate.idle()
})

it('the platform answers again if a page cannot be moved', async () => {
  const { browser, install, time } = await stage({ browsers: 0 })
  const context = browser('closed')
  await time.join(context)
  await install()
  Object.assign(context.clock, { fastForward: () => Promise.reject(new Error('closed')) })
  await expect(time.sleep('8h')).rejects.toThrow('closed')
  expect(await time.gate.through(() => Promise.resolve('answer'))).toBe('answer')
})

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

it('a virtual clock of the platform moves as well', async () => {
  const clock = virtualClock()
  const time = new TestTime(clock, clock)
  await time.install(1)
  await time.sleep('8h')
  expect(clock.now()).toBe(start + 8 * hour)
})

it('tests that run at the same time cannot share a backend', async () => {
  process.env['RXAUTH_CLOCK_FILE'] = file
  const { install } = await stage({ workers: 2 })
  await expect(install()).rejects.toThrow('set workers: 1 in playwright.config.ts, not 2')
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
