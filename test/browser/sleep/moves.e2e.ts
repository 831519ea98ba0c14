import { expect, type Frame, type Page } from '@playwright/test'
import type { TestClock } from 'rxauth/playwright'
import { grace, shows, test } from './scenes'

/** A busy machine may lose seconds on the way to a page, and each move is longer. */
const nearMillis = 60_000

/** The page has the platform's time. */
async function inStep(clock: TestClock, pages: readonly (Page | Frame)[]): Promise<void> {
  for (const page of pages) {
    const now = await page.evaluate(() => Date.now())
    expect(Math.abs(now - clock.now())).toBeLessThan(nearMillis)
  }
}

test.describe('in step are', () => {
  test('a window that a timer opens, and a frame of another origin', async ({
    clock,
    context,
    page,
    scene,
    baseURL,
  }) => {
    await scene.open(1)
    await page.evaluate(
      url => {
        const frame = document.createElement('iframe')
        frame.src = url
        document.body.append(frame)
        setTimeout(() => open('/opened'), 5000)
      },
      baseURL!.replace('localhost', '127.0.0.1'),
    )
    await expect.poll(() => page.frames().length).toBe(2)
    const opened = context.waitForEvent('page')
    await clock.advance('10s')
    await inStep(clock, [...page.frames(), await opened])
    await clock.sleep('8h')
    await inStep(clock, [...page.frames(), await opened])
  })

  test('a page that goes to another address meanwhile, beside one that closes', async ({ clock, page, scene }) => {
    const [, other] = await scene.open(2)
    await page.evaluate(() => void setTimeout(() => location.assign('/elsewhere'), 5000))
    await other!.evaluate(() => void setTimeout(() => close(), 5000))
    await clock.advance('10s')
    await page.waitForURL('**/elsewhere')
    await inStep(clock, [page])
  })

  test('the others when a browser is closed meanwhile', async ({ clock, page, scene, signedInPage }) => {
    await scene.open(1)
    const graces = await signedInPage(grace.email)
    await graces.goto('/')
    await Promise.all([clock.advance('10s'), graces.context().close()])
    await clock.sleep('1h')
    await inStep(clock, [page])
  })

  test('all after calls at the same time, with a browser that is opened between them', async ({
    clock,
    page,
    scene,
    signedInPage,
  }) => {
    await scene.open(1)
    const before = clock.now()
    const [graces] = await Promise.all([
      signedInPage(grace.email),
      clock.sleep('1h'),
      clock.advance('10s'),
      clock.sleep('1h'),
    ])
    expect(Math.abs(clock.now() - before - 7_210_000)).toBeLessThan(nearMillis)
    await graces.goto('/')
    await shows([graces], 'Grace')
    await inStep(clock, [page, graces])
  })

  test('all although a timer throws, and the call says so', async ({ clock, page, scene }) => {
    const pages = await scene.open(2)
    const before = clock.now()
    await page.evaluate(() => {
      setTimeout(() => {
        throw new Error('the timer of the app')
      }, 3000)
    })
    await expect(clock.advance('10s')).rejects.toThrow('the timer of the app')
    expect(clock.now() - before).toBeGreaterThanOrEqual(10_000)
    await inStep(clock, pages)
  })
})
