import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { BuildOptions } from 'esbuild'
import manifest from '../../package.json'
import { root } from './sources'

/** Prints the addresses that a load fetches, and how it ends, if the platform moves to `/there` or to another origin. */
const app = `
  import { createKit, memoryTokens, project$ } from 'rxauth'
  const outcomes = {}
  for (const [name, location] of Object.entries({ here: '/there', elsewhere: 'https://evil.example/' })) {
    const asked = []
    const fetch = async address => {
      asked.push(new URL(address).pathname)
      return asked.length === 1
        ? new Response(null, { status: 308, headers: { location } })
        : new Response('{}', { status: 400 })
    }
    const kit = createKit({ baseUrl: 'https://auth.example.com', projectId: 'p', tokens: memoryTokens(), fetch })
    const { code, status } = await project$(kit).get().catch(error => error)
    outcomes[name] = [asked, code, status]
    kit.dispose()
  }
  const opaque = Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' })
  const kit = createKit({ baseUrl: 'https://auth.example.com', projectId: 'p', tokens: memoryTokens(), fetch: async () => opaque })
  outcomes.hidden = (await project$(kit).get().catch(error => error)).code
  console.log(JSON.stringify(outcomes))
`
const path = '/api/v1/projects/current'
const refused = [[path], 'REDIRECT_REFUSED', 308]

let folder: string

beforeAll(() => {
  mkdirSync(join(root, '.tmp'), { recursive: true })
  folder = mkdtempSync(join(root, '.tmp/redirects-'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/rxauth'))
  writeFileSync(join(folder, 'package.json'), '{ "name": "app", "type": "module" }')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The file that a bundler with these conditions takes, and what its bundle does. */
async function bundled(options: BuildOptions) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: app, resolveDir: folder, sourcefile: 'app.js' },
    bundle: true,
    write: false,
    format: 'esm',
    metafile: true,
    logLevel: 'silent',
    // The paths of this repository's own would lead to its sources.
    tsconfigRaw: '{}',
    ...options,
  })
  const file = join(folder, 'bundle.mjs')
  writeFileSync(file, outputFiles![0]!.text)
  return {
    files: Object.keys(metafile!.inputs).flatMap(input => /core\/(redirects.*)$/.exec(input)?.[1] ?? []),
    done: JSON.parse(execFileSync(process.execPath, [file], { encoding: 'utf8' })) as unknown,
  }
}

describe('a redirect of the platform to its own origin', () => {
  it.each<[string, BuildOptions]>([
    ['Node', { platform: 'node' }],
    ['Cloudflare workers', { platform: 'browser', conditions: ['workerd', 'worker', 'browser'] }],
    ['other workers', { platform: 'browser', conditions: ['worker', 'browser'] }],
    ['the edge runtime of Next.js', { platform: 'browser', conditions: ['edge-light', 'browser'] }],
    ['React Native', { platform: 'browser', conditions: ['react-native', 'browser'] }],
    ['a bundler that names no place', { platform: 'neutral', mainFields: ['module', 'main'] }],
  ])('is followed in a bundle for %s', async (_, options) => {
    expect(await bundled(options)).toEqual({
      files: ['redirects.js'],
      done: { here: [[path, '/there'], 'REQUEST_FAILED', 400], elsewhere: refused, hidden: 'REDIRECT_REFUSED' },
    })
  })

  it('is hidden in browsers, so that their bundles do without the code that follows', async () => {
    const { files, done } = await bundled({ platform: 'browser' })
    expect(files).toEqual(['redirects-hidden.js'])
    // A visible one is of a fetch of the app's own.
    expect(done).toEqual({
      here: [[path], 'REQUEST_FAILED', 308],
      elsewhere: refused,
      hidden: 'REDIRECT_REFUSED',
    })
    const whole = await build({
      stdin: { contents: app, resolveDir: folder },
      ...{ bundle: true, write: false, format: 'esm', platform: 'browser', tsconfigRaw: '{}', minifySyntax: true },
    })
    expect(whole.outputFiles[0]!.text).not.toContain('isRepeated')
  })

  it('is chosen by the conditions of servers and of React Native before that of browsers', () => {
    expect(Object.entries(manifest.imports['#redirects'])).toEqual([
      ...['workerd', 'worker', 'edge-light', 'react-native', 'node'].map(name => [name, './dist/core/redirects.js']),
      ['browser', './dist/core/redirects-hidden.js'],
      ['default', './dist/core/redirects.js'],
    ])
  })
})
