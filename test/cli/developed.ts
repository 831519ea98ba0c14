import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClientApp, memoryTokens } from 'rxauth'
import { dev, terminal } from './terminal'

export type Running = Awaited<ReturnType<typeof dev>>

const running: Running[] = []

// Each platform that a case of an importing file has started ends with the case.
afterEach(async () => {
  for (const { io, stop } of running.splice(0)) {
    await stop()
    rmSync(io.folder, { recursive: true, force: true })
  }
})

export async function start(args: readonly string[] = [], overrides: Parameters<typeof dev>[1] = {}): Promise<Running> {
  const one = await dev(args, overrides)
  running.push(one)
  return one
}

/** A folder with this configuration. */
export function folderWith(config: unknown, name = 'rxauth.config.json'): string {
  const { io } = terminal()
  writeFileSync(join(io.folder, name), typeof config === 'string' ? config : JSON.stringify(config))
  return io.folder
}

export function appOf({ url }: Running) {
  return createClientApp({ baseUrl: url, tokens: memoryTokens() })
}

export const password = 'correct horse battery'
