import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(__dirname, '../..')

/** The TypeScript files below these folders of the repository, by path from its root, with their text. */
export function readSources(...folders: string[]): Map<string, string> {
  const paths = folders.flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(path => `${folder}/${path}`),
  )
  const scripts = paths.filter(path => /\.tsx?$/.test(path))
  return new Map(scripts.map(path => [path, readFileSync(join(root, path), 'utf8')]))
}
