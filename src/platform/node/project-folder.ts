import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isRecord } from '../../core/values'

/** The nearest folder with a package.json, from the working folder upwards; the working folder if there is none. */
export function projectFolder(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'package.json'))) return at
    if (dirname(at) === at) return folder
  }
}

/** The prefix of variables that the project's bundler passes to pages: `VITE_`, `NEXT_PUBLIC_` or none. */
export function variablePrefix(folder: string): string {
  const names = dependenciesOf(folder)
  if (names.includes('next')) return 'NEXT_PUBLIC_'
  return names.includes('vite') ? 'VITE_' : ''
}

function dependenciesOf(folder: string): string[] {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    if (!isRecord(manifest)) return []
    return [manifest['dependencies'], manifest['devDependencies']].flatMap(each =>
      isRecord(each) ? Object.keys(each) : [],
    )
  } catch {
    return []
  }
}
