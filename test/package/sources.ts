import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../package.json'

export const root = join(__dirname, '../..')

/** The entries that programs import: `./react`, its name `rxauth/react`, and its files. */
export const entries = Object.entries(manifest.exports).flatMap(([path, target]) =>
  typeof target === 'string' ? [] : [{ path, name: path.replace(/^\./, 'rxauth'), ...target }],
)

/** The TypeScript files below these folders of the repository, by path from its root, with their text. */
export function readSources(...folders: string[]): Map<string, string> {
  const paths = folders.flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(path => `${folder}/${path}`),
  )
  const scripts = paths.filter(path => /\.tsx?$/.test(path))
  return new Map(scripts.map(path => [path, readFileSync(join(root, path), 'utf8')]))
}
