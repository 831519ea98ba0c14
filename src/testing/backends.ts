import { randomUUID } from 'node:crypto'
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The name of the variable with the path of the file in which backends find how far the time has moved. */
const fileVariable = 'RXAUTH_CLOCK_FILE'

/**
 * The environment of a backend whose time moves with the fixture `clock`, for `webServer` of Playwright's configuration. It
 * sets `Date` in every Node process of that command, so the backend itself needs no change. Timers of a backend do not move.
 *
 * @example
 * const config = { workers: 1, webServer: { command: 'node server.mjs', port: 8787, env: backendClock() } }
 */
export function backendClock(): Record<string, string> {
  const file = (process.env[fileVariable] ??= newFile())
  const script = fileURLToPath(new URL('../testing/backend-clock.cjs', import.meta.url)).replaceAll('\\', '/')
  const others = process.env['NODE_OPTIONS'] ?? ''
  return { [fileVariable]: file, NODE_OPTIONS: `${others} --require "${script}"`.trim() }
}

function newFile(): string {
  const file = join(tmpdir(), `rxauth-clock-${randomUUID()}`)
  process.once('exit', () => rmSync(`${file}.loaded`, { force: true }))
  return file
}

/** The backends of a configuration with `backendClock()`. */
export interface Backends {
  /** Fails where they would not move, or would move for another test. */
  assertReady(workers: number): void
  tell(movedMillis: number): void
  /** Gives the backends the real time again. */
  end(): void
}

export function backends(): Backends | undefined {
  const file = process.env[fileVariable]
  if (file === undefined) return undefined
  return {
    assertReady(workers) {
      if (workers > 1)
        throw new Error(`a backend has one clock for all tests: set workers: 1 in playwright.config.ts, not ${workers}`)
      if (!existsSync(`${file}.loaded`))
        throw new Error(
          'no Node process has backendClock(), so the time of the backend would not move: the server was running ' +
            'before the tests (`reuseExistingServer`), runs elsewhere, or gets no `env: backendClock()`',
        )
    },
    tell(movedMillis) {
      // In one step: a backend reads it at any time.
      writeFileSync(`${file}.new`, String(movedMillis))
      renameSync(`${file}.new`, file)
    },
    end() {
      rmSync(file, { force: true })
    },
  }
}
