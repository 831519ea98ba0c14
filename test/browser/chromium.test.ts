import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { violations } from './person'
import { openChromium } from './shared'

describe('the browser of these suites', () => {
  let browser: Browser
  let server: Server
  let url: string

  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>A page</title>')
    })
    await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
    url = `http://localhost:${(server.address() as AddressInfo).port}/`
    browser = await openChromium()
  })

  afterAll(async () => {
    await browser.close()
    server.close()
  })

  it('opens a page of this machine, where locks, channels and the cookie store are at hand', async () => {
    const page = await browser.newPage()
    await page.goto(url)
    expect(await page.title()).toBe('A page')
    const present = await page.evaluate(() => ({
      locks: 'locks' in navigator,
      channels: typeof BroadcastChannel === 'function',
      cookieStore: 'cookieStore' in globalThis,
      passkeys: typeof PublicKeyCredential === 'function',
    }))
    expect(present).toEqual({ locks: true, channels: true, cookieStore: true, passkeys: true })
  })

  it('shares locks and channels between the pages of one context', async () => {
    const context = await browser.newContext()
    const [first, second] = [await context.newPage(), await context.newPage()]
    await Promise.all([first.goto(url), second.goto(url)])
    await second.evaluate(() => {
      const heard = new Promise(resolve => (new BroadcastChannel('tabs').onmessage = message => resolve(message.data)))
      Object.assign(globalThis, { heard })
    })
    const answer = await first.evaluate(async () => {
      const channel = new BroadcastChannel('tabs')
      return navigator.locks.request('refresh', async () => {
        channel.postMessage('held')
        return (await navigator.locks.query()).held?.map(lock => lock.name)
      })
    })
    expect(answer).toEqual(['refresh'])
    expect(await second.evaluate('heard')).toBe('held')
    await context.close()
  })

  // A page without a network loads no script.
  it.each([true, false])('finds what is wrong with a page, online: %j', async isOnline => {
    const context = await browser.newContext({ offline: !isOnline })
    const page = await context.newPage()
    await page.setContent(
      '<html lang="en"><title>A page</title><main><h1>Pale</h1><p style="color: #ccc">Words</p><input></main></html>',
    )
    const found = (await violations(page)) as readonly { readonly id: string }[]
    expect(found.map(({ id }) => id)).toEqual(['color-contrast', 'label'])
    await context.close()
  })
})
