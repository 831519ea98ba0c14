import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from './sources'

/** A folder outside the repository with the packed package, and the other packages of an app. */
export interface FreshApp {
  readonly folder: string
  write(path: string, text: string): void
  remove(): void
}

/** The packages that npm would install with the package. */
const installed = ['rxjs', 'jose', 'valibot', 'js-cookie', 'use-sync-external-store', '@simplewebauthn/browser']

let packed: string | undefined

/** The packed package's folder, created once for all apps of a test file. */
function packedPackage(): string {
  if (packed !== undefined) return packed
  packed = mkdtempSync(join(tmpdir(), 'rxauth-packed-'))
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', packed]
  execFileSync('npm', args, { cwd: root, stdio: 'ignore' })
  const tarball = readdirSync(packed).find(name => name.endsWith('.tgz'))!
  execFileSync('tar', ['xzf', tarball, '--strip-components', '1'], { cwd: packed })
  rmSync(join(packed, tarball))
  return packed
}

afterAll(() => {
  if (packed !== undefined) rmSync(packed, { recursive: true })
})

/** The packed files are copied; dependencies are links to those of the repository, so that nothing is downloaded. */
export function freshApp(...packages: string[]): FreshApp {
  const folder = mkdtempSync(join(tmpdir(), 'rxauth-app-'))
  const own = join(folder, 'node_modules/rxauth')
  cpSync(packedPackage(), own, { recursive: true })
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
