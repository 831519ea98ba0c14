import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../src/cli/run'
import { terminal } from './terminal'

/** The project of a case: a new folder for each case of a file that imports this one. */
export let folder: string

beforeEach(() => {
  folder = terminal().io.folder
  writeFileSync(join(folder, 'package.json'), '{}')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a command to its end. */
export async function rxauth(args: readonly string[], overrides: Parameters<typeof terminal>[0] = {}) {
  const { io, out, err } = terminal({ folder, ...overrides })
  const code = await run(args, io)
  return { code, out: out(), err: err() }
}

export function configure(config: unknown): void {
  writeFileSync(join(folder, 'rxauth.config.json'), JSON.stringify(config))
}

export const data = () => join(folder, '.rxauth/data.sqlite')
