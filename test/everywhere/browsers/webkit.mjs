import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'

/** WebKitGTK, by WebDriver, on a display of its own. */
export async function open() {
  const screen = spawn('Xvfb', ['-displayfd', '1'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [display] = await once(createInterface(screen.stdout), 'line')
  const port = await freePort()
  const env = { ...process.env, DISPLAY: `:${display}` }
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], { stdio: 'ignore', env })
  const send = async (method, path, body) => {
    const options = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...options })
    const { value } = await response.json()
    if (!response.ok) throw new Error(`WebKitWebDriver: ${value.error}: ${value.message}`)
    return value
  }
  while (!(await send('GET', '/status').catch(() => undefined))) await setTimeout(50)
  const { sessionId, capabilities } = await send('POST', '/session', { capabilities: {} })
  const command = (method, path, body) => send(method, `/session/${sessionId}/${path}`, body)

  /** The driver has one window at a time; the first one stays open. */
  const first = await command('GET', 'window')
  let before = Promise.resolve()
  const inWindow = (handle, run) => {
    const running = before.then(async () => {
      await command('POST', 'window', { handle })
      return run()
    })
    before = running.catch(() => undefined)
    return running
  }
  const evaluate = async expression => {
    const { error, value } = await command('POST', 'execute/async', {
      script: `(async () => (${expression}))().then(value => arguments[0]({ value }), error => arguments[0]({ error: String(error) }))`,
      args: [],
    })
    if (error !== undefined) throw new Error(error)
    return value
  }
  const element = async expression =>
    Object.values(await command('POST', 'execute/sync', { script: `return ${expression}`, args: [] }))[0]

  return {
    version: `WebKitGTK ${capabilities.browserVersion}`,
    // The driver does not tell of errors of pages.
    failed: new Promise(() => {}),
    async close() {
      await command('DELETE', '').finally(() => {
        driver.kill()
        screen.kill()
      })
    },
    async open(url) {
      const { handle } = await inWindow(first, () => command('POST', 'window/new', { type: 'window' }))
      const at = run => inWindow(handle, run)
      const goto = to => at(() => command('POST', 'url', { url: to }))
      await goto(url)
      return {
        // Each page has a window of its own.
        show: () => undefined,
        goto,
        evaluate: expression => at(() => evaluate(expression)),
        click: expression => at(async () => command('POST', `element/${await element(expression)}/click`, {})),
        type: (expression, value) =>
          at(async () => command('POST', `element/${await element(expression)}/value`, { text: value })),
        close: () => at(() => command('DELETE', 'window')),
      }
    },
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}
