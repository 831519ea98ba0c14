import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import manifest from '../../package.json'
import { root } from './sources'

/** A folder outside the repository with the package, and the other packages of an app. */
export interface FreshApp {
  readonly folder: string
  write(path: string, text: string): void
  remove(): void
}

/**
 * The built files are copied, of which exports.test.ts shows that they are those of the archive; dependencies, and the other
 * packages, are links to those of the repository, so that nothing is downloaded.
 */
export function freshApp(...packages: string[]): FreshApp {
  const folder = mkdtempSync(join(tmpdir(), 'rxauth-app-'))
  for (const part of ['package.json', 'dist'])
    cpSync(join(root, part), join(folder, 'node_modules/rxauth', part), { recursive: true })
  for (const name of [...Object.keys(manifest.dependencies), 'rxjs', ...packages]) {
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

/** Takes a third of the time of the one before; typescript.test.ts has all of them. */
export const newestCompiler = 'test/typescript-7/node_modules/typescript'

/** What a compiler says about these files of an app; empty: nothing. */
export function complaints(
  { folder, write }: FreshApp,
  compilerOptions: object,
  files: readonly string[],
  compiler = newestCompiler,
): string {
  write('tsconfig.json', JSON.stringify({ compilerOptions: { noEmit: true, strict: true, ...compilerOptions }, files }))
  const args = [join(root, compiler, 'bin/tsc'), '--project', '.', '--pretty', 'false']
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 })
  return stdout + stderr
}

/** A port of this machine on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(listening => server.listen(0, listening))
  const { port } = server.address() as AddressInfo
  await new Promise(closed => server.close(closed))
  return port
}
