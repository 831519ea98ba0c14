import { transformSync } from 'esbuild'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const source = join(__dirname, '../../src/cli/passkey-package.ts')
const install = 'npm install --save-dev @simplewebauthn/server'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** What a project is told in whose `node_modules` the package is, or is not. */
function advice(packageJson?: object): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'rxauth-passkey-package-'))
  folders.push(folder)
  const installed = join(folder, 'node_modules/@simplewebauthn/server')
  if (packageJson) {
    mkdirSync(installed, { recursive: true })
    writeFileSync(join(installed, 'package.json'), JSON.stringify(packageJson))
    writeFileSync(join(installed, 'index.js'), '')
  }
  const module = join(folder, 'passkey-package.mjs')
  writeFileSync(module, transformSync(readFileSync(source, 'utf8'), { loader: 'ts', format: 'esm' }).code)
  const program = `console.log(JSON.stringify((await import('${pathToFileURL(module).href}')).passkeyAdvice()))`
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }))
}

describe('the package for passkeys', () => {
  it('is named with the command that installs it where it is missing', () => {
    expect(advice()).toBe(install)
  })

  it.each([
    ['for all', { main: 'index.js' }],
    ['for import only', { exports: { import: './index.js' } }],
  ])('is not asked for where it is there, %s', (_, packageJson) => {
    expect(advice(packageJson)).toBeNull()
  })
})
