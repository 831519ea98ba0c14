import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Libsql from 'libsql'
import { createServerApp } from 'rxauth/server'
import { openPlatform } from 'rxauth/platform/node'
import { DataFile } from '../../src/platform/node/data-file'
import type { Change } from '../../src/platform/data/unit'

// How long a platform on a file takes to start with 100,000 users, each with an address and a session.
const users = 100_000
const folder = mkdtempSync(join(tmpdir(), 'rxauth-bench-'))
const file = join(folder, 'data.db')
/** In time of the processor, so that what else the machine does does not count; above `most` milliseconds the benchmark fails. */
const time = async <T>(name: string, run: () => Promise<T>, most = Infinity): Promise<T> => {
  const start = process.cpuUsage()
  const value = await run()
  const { user, system } = process.cpuUsage(start)
  const millis = (user + system) / 1000
  const isMissed = millis > most
  if (isMissed) process.exitCode = 1
  process.stdout.write(`${name}: ${millis.toFixed(0)} ms${isMissed ? `, MISSED: at most ${most}` : ''}\n`)
  return value
}

try {
  const first = await openPlatform({ file })
  const { projectId } = first.options
  first.dispose()
  const data = new DataFile(Libsql, file)
  data.onCommit(rows(projectId))
  data.close()
  process.stdout.write(`file: ${(statSync(file).size / 1e6).toFixed(0)} MB, log: ${existsSync(`${file}-wal`)}\n`)
  const platform = await time('start', () => openPlatform({ file }), 2000)
  const server = createServerApp(platform.serverOptions)
  await time('first page of 50', () => server.users$({ limit: 50 }).get())
  platform.dispose()
} finally {
  rmSync(folder, { recursive: true })
}

function rows(projectId: string): Change[] {
  return Array.from({ length: users }, (_, index): Change[] => {
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
