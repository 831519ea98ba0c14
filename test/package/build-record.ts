import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './sources'

interface BuildRecord {
  /** What the part was written to: `dist/console`. */
  readonly folder: string
  /** The hash of each file that it was made of, by path. */
  readonly files: Readonly<Record<string, string>>
}

/** The files that the build was made of, by the folder that it has written. An error where one of them has another text now. */
export function builtModules(of = join(root, '.tmp/build')): Readonly<Record<string, readonly string[]>> {
  if (!existsSync(of)) throw new Error(`${of} is missing, which the build writes: run \`npm run build\``)
  const modules: Record<string, string[]> = {}
  for (const name of readdirSync(of)) {
    const { folder, files } = JSON.parse(readFileSync(join(of, name), 'utf8')) as BuildRecord
    const changed = Object.keys(files).find(path => hashOf(join(root, path)) !== files[path])
    if (changed !== undefined)
      throw new Error(`${folder} was built before ${changed} has changed: run \`npm run build\``)
    modules[folder] = [...(modules[folder] ?? []), ...Object.keys(files).map(path => join(root, path))]
  }
  return modules
}

function hashOf(path: string): string | undefined {
  return existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : undefined
}
