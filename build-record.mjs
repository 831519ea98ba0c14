// What each part of the build was made of, for tests: `.tmp/build/modules.json`. It is no part of the package.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

/** What decides about a part beside its modules. */
const settings = [
  ...['rollup.config.mjs', 'react/console/vite.config.mjs', 'notices.mjs', 'build-record.mjs'],
  ...['tsconfig.json', 'package.json', 'package-lock.json'],
].map(path => join(import.meta.dirname, path))

export const recordFolder = join(import.meta.dirname, '.tmp/build')

/**
 * Writes the folder of a part and the files that it was made of, each with the hash of its text: once a file has another text, the
 * record is of an earlier build. A module that a plugin has put together names its files in `meta.files`.
 */
export function buildRecord(part) {
  const files = new Set(settings)
  return {
    name: 'build-record',
    moduleParsed({ id, meta }) {
      // Without the marks of plugins.
      for (const file of meta.files ?? [id.replace(/^\0|\?.*$/g, '')]) files.add(file)
    },
    writeBundle({ dir }) {
      const hashes = [...files]
        .filter(file => existsSync(file))
        .map(file => [
          relative(import.meta.dirname, file),
          createHash('sha256').update(readFileSync(file)).digest('hex'),
        ])
      const record = { folder: relative(import.meta.dirname, resolve(dir)), files: Object.fromEntries(hashes) }
      mkdirSync(recordFolder, { recursive: true })
      writeFileSync(join(recordFolder, `${part}.json`), JSON.stringify(record))
    },
  }
}
