// `npm start`: the local platform, the example page, and a script that uses both worlds' common kit.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createPlatform } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { servePage } from './page-server.mjs'

/** Every way to sign in is switched on. */
const project = {
  displayName: 'rxauth example',
  config: {
    magicLinkEnabled: true,
    passkeyEnabled: true,
    clientUserDeletionEnabled: true,
    oauthProviders: [
      { id: 'github', type: 'shared' },
      { id: 'google', type: 'shared' },
    ],
  },
}

const help = `Usage: npm start -- [--port N]

Starts a local authentication platform, in memory, and the example application that uses it.

  --port N   the port of the page (default: a free one)
  --help     shows this text
`

const asked = readArguments(process.argv.slice(2))
if (asked.help) process.stdout.write(help)
else if (asked.misunderstood) {
  process.stderr.write(`${asked.misunderstood}\nTry: npm start -- --help\n`)
  process.exitCode = 2
} else await start(asked.port)

function readArguments(given) {
  try {
    const { values } = parseArgs({
      args: given,
      options: { port: { type: 'string', default: '0' }, help: { type: 'boolean', short: 'h', default: false } },
    })
    const port = /^\d+$/.test(values.port) ? Number(values.port) : NaN
    if (!(port <= 65_535)) return { misunderstood: `--port takes a number from 0 to 65535, not "${values.port}"` }
    return { help: values.help, port }
  } catch (error) {
    return { misunderstood: error.message.split('. ')[0] }
  }
}

async function start(port) {
  const opened = []
  let child
  let isStopping = false
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    child?.kill()
    await Promise.all(opened.map(one => one.close()))
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop().then(() => process.exit(0)))

  try {
    const platform = createPlatform({ seed: { project } })
    opened.push({ close: async () => platform.dispose() })
    const server = await listen(platform, { port: 0 })
    opened.push(server)
    const { projectId, publishableClientKey } = platform.options
    const config = { baseUrl: server.url, projectId, publishableClientKey }
    const page = await servePage({ port, config })
    opened.push(page)

    console.log(`
Page              ${page.url}
Platform          ${server.url}
Project id        ${projectId}
Publishable key   ${publishableClientKey}

A Node script signs up and subscribes to user$:`)
    child = runScript(config)
    await exitOf(child)
    console.log('\nPress Ctrl-C to stop.')
  } catch (error) {
    if (isStopping) return
    console.error(`rxauth example: ${error.message}`)
    process.exitCode = 1
    await stop()
  }
}

/** The script is a process of its own, as yours would be. */
function runScript({ baseUrl, projectId, publishableClientKey }) {
  const script = fileURLToPath(new URL('first-emission.mjs', import.meta.url))
  const child = spawn(process.execPath, [script], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      NEXT_PUBLIC_STACK_API_URL: baseUrl,
      NEXT_PUBLIC_STACK_PROJECT_ID: projectId,
      NEXT_PUBLIC_STACK_PUBLISHABLE_CLIENT_KEY: publishableClientKey,
    },
  })
  return child
}

function exitOf(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (code === 0) resolve()
      else reject(new Error(`the script ended with ${signal ?? `exit code ${code}`}`))
    })
  })
}
