import { build } from 'esbuild'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The folder of this package, which has React Email. */
export const project = join(__dirname, '../../..')

/** The program of mails and what starts it, as the build makes them; their folder is for the caller to delete. */
export async function mailProgram(): Promise<{ readonly folder: string; readonly program: URL }> {
  const folder = mkdtempSync(join(tmpdir(), 'rxauth-mails-'))
  await build({
    entryPoints: ['mail-worker', 'run-mail'].map(name => join(project, `src/platform/node/${name}.ts`)),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    logLevel: 'silent',
  })
  return { folder, program: pathToFileURL(join(folder, 'mail-worker.mjs')) }
}
