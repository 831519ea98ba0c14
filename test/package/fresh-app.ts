import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from './sources'

/** A folder outside of the repository with the packed package in it, and what else an app would have installed. */
export interface FreshApp {
  readonly folder: string
  write(path: string, text: string): void
  remove(): void
}

/** What npm would install with the package. */
const installed = ['rxjs', 'jose', 'valibot', 'js-cookie', 'use-sync-external-store', '@simplewebauthn/browser']

/** The packed files are copied; dependencies are links to those of the repository, so that nothing is downloaded. */
export function freshApp(...packages: string[]): FreshApp {
  const folder = mkdtempSync(join(tmpdir(), 'rxauth-app-'))
  const own = join(folder, 'node_modules/rxauth')
  mkdirSync(own, { recursive: true })
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]
  execFileSync('npm', args, { cwd: root, stdio: 'ignore' })
  const tarball = readdirSync(folder).find(name => name.endsWith('.tgz'))!
  execFileSync('tar', ['xzf', join(folder, tarball), '-C', own, '--strip-components', '1'])
  for (const name of [...installed, ...packages]) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), link)
  }
  return {
    folder,
    write(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}
