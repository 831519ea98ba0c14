import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Libsql from 'libsql'
import { listen, openPlatform } from 'rxauth/platform/node'
import { DataFile } from '../../src/platform/node/data-file'
import type { RowChange } from '../../src/platform/data/unit'

// A platform on a file with 100,000 users, each with an address and a session: the time of a start, and the longest time
// in which it answers no other request.
const users = 100_000
const most = { startMillis: 1500 }
const folder = mkdtempSync(join(tmpdir(), 'rxauth-bench-'))
const file = join(folder, 'data.db')

/** In CPU time, so that other programs on the machine do not count. */
function processorMillis(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** CPU time of the answering thread, where the system reports it: garbage collection has other threads. */
function threadMillis(): number {
  if (!existsSync('/proc/self/schedstat')) return processorMillis()
  return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6
}

function report(name: string, millis: number, limit = Infinity): void {
  const isMissed = millis > limit
  if (isMissed) process.exitCode = 1
  process.stdout.write(`${name}: ${millis.toFixed(0)} ms${isMissed ? `, MISSED: at most ${limit}` : ''}\n`)
}

/** The total time, and the longest time between two turns of the event loop. */
async function measure(name: string, run: () => Promise<unknown>): Promise<void> {
  // Collects the benchmark's own garbage first.
  ;(globalThis as { gc?: () => void }).gc?.()
  const begun = processorMillis()
  let [last, longest, isOver] = [threadMillis(), 0, false]
  const turn = () => {
    const now = threadMillis()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await run()
  await new Promise(resolve => setImmediate(resolve))
  isOver = true
  report(name, processorMillis() - begun)
  report('  longest stop', longest)
}

/** Reads answers in another process, so that its work does not count for the platform. */
const reader = `
  process.on('message', async ({ url, headers }) => {
    const response = await fetch(url, { headers })
    let bytes = 0
    for await (const part of response.body) bytes += part.length
    process.send(response.status + ', ' + (bytes / 1e6).toFixed(1) + ' MB')
  })`

try {
  const first = await openPlatform({ file })
  const { projectId } = first.options
  first.dispose()
  const data = new DataFile(Libsql, file)
  data.onCommit(rows(projectId))
  data.close()
  process.stdout.write(`file: ${(statSync(file).size / 1e6).toFixed(0)} MB, log: ${existsSync(`${file}-wal`)}\n`)
  const begun = processorMillis()
  const platform = await openPlatform({ file })
  report('start', processorMillis() - begun, most.startMillis)
  const { url, close } = await listen(platform, { port: 0 })
  const headers = {
    'x-stack-project-id': projectId,
    'x-stack-access-type': 'server',
    'x-stack-secret-server-key': platform.serverOptions.secretServerKey,
  }
  const child = spawn(process.execPath, ['-e', reader], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const get = async (query: string) => {
    child.send({ url: `${url}/api/v1/users${query}`, headers })
    const [told] = (await once(child, 'message')) as [string]
    process.stdout.write(`GET /users${query}: ${told}\n`)
  }
  await measure('first request', () => get('?limit=1'))
  await measure('first page of 50', () => get('?limit=50'))
  await measure('first search', () => get('?query=user-77777&limit=50'))
  await measure('second search', () => get('?query=user-66666&limit=50'))
  await measure('search that finds everybody', () => get('?query=example&limit=50'))
  await measure('search without results, two letters', () => get('?query=zz'))
  await measure('all users', () => get(''))
  child.disconnect()
  await close()
  platform.dispose()
} finally {
  rmSync(folder, { recursive: true })
}

function rows(projectId: string): RowChange[] {
  return Array.from({ length: users }, (_, index): RowChange[] => {
    const id = crypto.randomUUID()
    const at = 1_700_000_000_000 + index
    const user = {
      id,
      displayName: `User ${String(index)}`,
      profileImageUrl: null,
      signedUpAt: at,
      lastActiveAt: at,
      clientMetadata: null,
      clientReadOnlyMetadata: null,
      serverMetadata: null,
      password: null,
      otpAuthEnabled: true,
      totpSecretBase64: null,
      requiresTotpMfa: false,
      isAnonymous: false,
      restrictedByAdmin: false,
      selectedTeamId: null,
    }
    const channel = {
      id: crypto.randomUUID(),
      userId: id,
      value: `user-${String(index)}@example.com`,
      isPrimary: true,
      isVerified: true,
      usedForAuth: true,
    }
    const session = {
      id: crypto.randomUUID(),
      userId: id,
      createdAt: at,
      lastUsedAt: at,
      expiresAt: at + 1e12,
      isImpersonation: false,
    }
    return [
      { projectId, table: 'users', id, row: user },
      { projectId, table: 'contactChannels', id: channel.id, row: channel },
      { projectId, table: 'sessions', id: session.id, row: session },
    ]
  }).flat()
}
