// `npm start`: the local platform, a backend of the app, the page, and a script that uses the same kit.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createPlatform } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { serveBackend } from './server/backend.mjs'
import { build, pagesIn } from './server/build-steps.mjs'
import { freePort, isFree } from './server/free-port.mjs'
import { servePage } from './server/page-server.mjs'

/** Every way to sign in is switched on, and everything that users and teams can own. */
const project = {
  displayName: 'rxauth example',
  // The colour of its mails.
  color: '#5b4bdb',
  config: {
    magicLinkEnabled: true,
    passkeyEnabled: true,
    // Users delete their account through the backend, which wants to know first that it is they.
    clientUserDeletionEnabled: false,
    clientTeamCreationEnabled: true,
    allowUserApiKeys: true,
    allowTeamApiKeys: true,
    // Platforms of the reference release do not know it.
    requireEmailVerification: true,
    oauthProviders: [
      { id: 'github', type: 'shared' },
      { id: 'google', type: 'shared' },
    ],
  },
}

/** A provider of the project's own, which releases before 2026 do not have. */
const companyProvider = {
  id: 'acme-staff',
  type: 'custom_oidc',
  issuerUrl: 'https://id.acme.example',
  displayName: 'Acme Staff',
  clientId: 'rxauth-example',
  clientSecret: 'not a secret here',
}

/** A rule for sign-ups, which releases before 2026 do not have. */
const throwaway = {
  id: 'throwaway',
  displayName: 'Throw-away addresses',
  condition: 'emailDomain in ["mailinator.com", "yopmail.com"]',
  action: 'reject',
  message: 'Please sign up with an address that you keep.',
}

/** The project as this release has it. */
function projectOn(wire) {
  if (wire !== '2026') return project
  const oauthProviders = [...project.config.oauthProviders, companyProvider]
  return { ...project, config: { ...project.config, oauthProviders, signUpRules: [throwaway] } }
}

/** Two users in one team, so that there is something to look at before the first sign-up. */
const password = 'correct horse battery'
const people = [
  { email: 'ada@example.com', displayName: 'Ada Lovelace', password, verified: true },
  { email: 'grace@example.com', displayName: 'Grace Hopper', password, verified: true },
]
const team = {
  displayName: 'Analytical Engines',
  members: [{ email: 'ada@example.com', permissions: ['team_admin'] }, { email: 'grace@example.com' }],
}

/** Who runs the project in the admin area. */
const owner = { email: 'owner@example.com', displayName: 'Olivia Owner', password, verified: true }

const defaultPagePort = 3000
/** The port of `npx rxauth dev`, which kits on this machine expect. */
const platformPort = 8102
const backendPort = 8104

const help = `Usage: npm start -- [--port N] [--wire RELEASE] [--watch]

Starts a local authentication platform, in memory, and the example application that uses it.

  --port N        the port of the page; 0 takes a free one (default: ${defaultPagePort}, or the next free one)
  --wire RELEASE  the platform speaks like this release of the hosted one: 2.8.18 (default) or 2026, on which people
                  have to verify their e-mail address first
  --watch         serves the page from its source files and reloads it when they change; it opens more slowly
  --built FOLDER  serves the page that was built in this folder
  --build         builds the console, and the page in that folder, if they have changed, as \`npm start\` does
  --help          shows this text
`

const asked = readArguments(process.argv.slice(2))
if (asked.help) process.stdout.write(help)
else if (asked.misunderstood) {
  process.stderr.write(`${asked.misunderstood}\nTry: npm start -- --help\n`)
  process.exitCode = 2
} else await start(asked)

function readArguments(given) {
  try {
    const { values } = parseArgs({
      args: given,
      options: {
        port: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
        built: { type: 'string' },
        build: { type: 'boolean', default: false },
        watch: { type: 'boolean', default: false },
        wire: { type: 'string', default: '2.8.18' },
      },
    })
    const { port, help, wire, watch } = values
    const built = watch || values.built === undefined ? undefined : resolve(values.built)
    const steps = values.build && values.built !== undefined ? pagesIn(values.built).slice(0, watch ? 1 : 2) : []
    if (!['2.8.18', '2026'].includes(wire)) return { misunderstood: `--wire takes 2.8.18 or 2026, not "${wire}"` }
    if (port !== undefined && (!/^\d+$/.test(port) || Number(port) > 65_535))
      return { misunderstood: `--port takes a number from 0 to 65535, not "${port}"` }
    return { help, built, steps, wire, port: port && Number(port) }
  } catch (error) {
    return { misunderstood: error.message.split('. ')[0] }
  }
}

async function start({ port: asked, built, steps, wire }) {
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
    const port = await pagePort(asked)
    const platform = createPlatform({
      wire,
      seed: { project: projectOn(wire), users: people, teams: [team], owners: [owner] },
    })
    opened.push({ close: async () => platform.dispose() })
    const server = await listen(platform, { port: asked === 0 ? 0 : await freePort(platformPort) })
    opened.push(server)
    const { projectId, publishableClientKey } = platform.options
    const config = { baseUrl: server.url, projectId, publishableClientKey }
    const backend = await serveBackend({
      platformUrl: server.url,
      projectId,
      webhookSecret: platform.webhooks.secret,
      ownerKey: platform.ownerOptions.publishableClientKey,
      webhooks$: platform.webhooks$,
      port: asked === 0 ? 0 : await freePort(backendPort),
    })
    opened.push(backend)
    platform.webhooks.add({ url: `${backend.url}/api/webhooks` })
    if (steps.length > 0) console.log(`  the platform answers at ${server.url}`)
    await Promise.all(steps.map(build))
    const page = await servePage({
      port,
      built,
      backendUrl: backend.url,
      env: {
        VITE_PLATFORM_URL: server.url,
        VITE_PROJECT_ID: projectId,
        VITE_PUBLISHABLE_CLIENT_KEY: publishableClientKey,
        VITE_INTERNAL_PUBLISHABLE_CLIENT_KEY: platform.ownerOptions.publishableClientKey,
        VITE_MAILBOX_URL: `${server.url}/mailbox`,
      },
    })
    opened.push(page)

    console.log(`
Page              ${page.url}
Admin area        ${page.url}admin
Owner             ${owner.email}, password: ${owner.password}
Console           ${server.url}/
Mailbox           ${server.url}/mailbox
Platform          ${server.url}
Project id        ${projectId}
Publishable key   ${publishableClientKey}
People            ${people.map(({ email }) => email).join(' and ')}, password: ${password}

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

/** A port that was asked for is that one or none; without one, the next free one will do. */
async function pagePort(asked) {
  if (asked === undefined) return freePort(defaultPagePort)
  if (asked !== 0 && !(await isFree(asked)))
    throw new Error(`port ${asked} is in use: stop what listens there, or choose another one with --port`)
  return asked
}

/** The script is a process of its own, as yours would be. */
function runScript({ baseUrl, projectId, publishableClientKey }) {
  const env = {
    ...process.env,
    NEXT_PUBLIC_STACK_API_URL: baseUrl,
    NEXT_PUBLIC_STACK_PROJECT_ID: projectId,
    NEXT_PUBLIC_STACK_PUBLISHABLE_CLIENT_KEY: publishableClientKey,
  }
  const script = fileURLToPath(new URL('first-emission.mjs', import.meta.url))
  return spawn(process.execPath, [script], { stdio: ['ignore', 'inherit', 'inherit'], env })
}

async function exitOf(child) {
  const [code, signal] = await once(child, 'close')
  if (code !== 0) throw new Error(`the script ended with ${signal ?? `exit code ${code}`}`)
}
