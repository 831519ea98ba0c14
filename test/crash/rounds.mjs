// Kills a platform on a file at random points under load, again and again: no answered write may be lost, and no request
// may be stored in part. `npm run nightly -- crash` runs 1,000 rounds; `--rounds N --seed N` changes that, and each `--node PATH`
// runs the platform in its turn.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    node: { type: 'string', multiple: true, default: [process.execPath] },
  },
})
const rounds = Number(values.rounds)
let state = Number(values.seed)
const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647

const writers = 8
const folder = mkdtempSync(join(tmpdir(), 'rxauth-crash-'))
const file = join(folder, 'data.db')
/** By e-mail address: the last confirmed name. */
const told = new Map()
/** Requested names without an answer, which may be stored or not. */
const asked = new Map()
let answers = 0
let running
let starts = 0

try {
  for (let round = 0; round < rounds; round++) {
    const platform = await start()
    await check(platform, round)
    // By number of answers and not by time, so that a slow machine is killed under load too.
    const last = answers + 1 + Math.floor(random() * 30)
    const onAnswer = () => {
      if (++answers === last) setTimeout(() => platform.child.kill('SIGKILL'), random() * 20)
    }
    await Promise.all(Array.from({ length: writers }, (_, writer) => write(platform, `r${round}w${writer}`, onAnswer)))
    await platform.ended
    if ((round + 1) % 100 === 0) console.log(`${round + 1} rounds, ${answers} answered writes, ${told.size} people`)
  }
  const platform = await start()
  await check(platform, rounds)
  platform.child.kill('SIGKILL')
  await platform.ended
  console.log(`${rounds} rounds, ${answers} answered writes, ${told.size} people: nothing lost, nothing by half`)
} finally {
  running?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

async function start() {
  const program = fileURLToPath(new URL('platform.mjs', import.meta.url))
  const node = values.node[starts++ % values.node.length]
  const child = spawn(node, [program, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  running = child
  const ended = new Promise(resolve => child.once('close', resolve))
  const line = await new Promise((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve)
    child.once('close', code => reject(new Error(`the platform ended with ${code}`)))
  })
  return { child, ended, ...JSON.parse(line) }
}

/** Signs users up and renames them until the platform is killed. */
async function write(platform, name, onAnswer) {
  for (let index = 0; ; index++) {
    const email = `${name}n${index}@example.com`
    try {
      asked.set(email, [null])
      const tokens = await send(platform, 'client', 'POST', '/auth/password/sign-up', {
        email,
        password: 'correct horse',
        verification_callback_url: 'http://localhost/verify',
      })
      told.set(email, null)
      onAnswer()
      for (let change = 0; change < 3; change++) {
        const displayName = `${name} ${index} ${change}`
        asked.set(email, [told.get(email), displayName])
        await send(platform, 'client', 'PATCH', '/users/me', { display_name: displayName }, tokens.access_token)
        told.set(email, displayName)
        onAnswer()
      }
    } catch (error) {
      if (error instanceof TypeError) return
      throw error
    }
  }
}

/** Checks that every confirmed user exists, with the last confirmed name or a pending one. */
async function check(platform, round) {
  const found = new Map()
  let cursor = ''
  do {
    const page = await send(platform, 'server', 'GET', `/users?limit=500${cursor && `&cursor=${cursor}`}`)
    for (const user of page.items) {
      if (user.primary_email === null || !user.has_password || !user.auth_with_email)
        throw new Error(`round ${round}: the user ${user.id} is there by half`)
      found.set(user.primary_email, user.display_name)
    }
    cursor = page.pagination.next_cursor
  } while (cursor)
  for (const [email, name] of told) {
    if (!found.has(email)) throw new Error(`round ${round}: ${email} was signed up, and is lost`)
    const now = found.get(email)
    if (now !== name && !asked.get(email).includes(now))
      throw new Error(`round ${round}: ${email} was renamed to "${name}", and is called "${now}"`)
    told.set(email, now)
  }
  for (const [email, name] of found)
    if (!asked.has(email)) throw new Error(`round ${round}: no sign-up as ${email}`)
    else told.set(email, name)
}

async function send(platform, access, method, path, body, accessToken) {
  const response = await fetch(`${platform.url}/api/v1${path}`, {
    method,
    headers: {
      'x-stack-access-type': access,
      'x-stack-project-id': platform.projectId,
      'x-stack-publishable-client-key': platform.publishableClientKey,
      ...(access === 'server' && { 'x-stack-secret-server-key': platform.secretServerKey }),
      ...(accessToken && { 'x-stack-access-token': accessToken }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return JSON.parse(text)
}
