import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'esbuild'
import { bundle } from './bundle'
import { root } from './sources'

/** A built module, the text of a seam in it, and the text of a kit without the seam. */
type Cut = readonly [module: string, seam: string | RegExp, without: string]

const format = 'session/stores/cookie-format.js'
const store = 'session/stores/cookie-tokens.js'

/** What apps that keep several people, or sessions that end with the browser, need of the code that every app has. */
const seams: Readonly<Record<string, readonly Cut[]>> = {
  'a store that watches what the browser keeps': [['kit/create-kit.js', 'cell.source.retain?.(kit)', 'void 0']],
  'signOut({ accounts })': [
    ['sign-in/sign-out.js', '{ everywhere, accounts } = {}', '{ everywhere } = {}'],
    ['sign-in/sign-out.js', /const \{ "~leave": leave \}.*\n/, ''],
    ['sign-in/sign-out.js', /if \(!accounts\) (return out\(\);)\s.*\s.*/, '$1'],
  ],
  'redirectTo({ add })': [
    ['sign-in/redirect-to.js', '{ returnTo, noRedirectBack, add }', '{ returnTo, noRedirectBack }'],
    ['sign-in/redirect-to.js', ', add)', ')'],
    ['navigation/targets.js', 'withReturn({ href }, target, returnTo, adds)', 'withReturn({ href }, target, returnTo)'],
    ['navigation/targets.js', 'returnTo === null && !adds', 'returnTo === null'],
    [
      'navigation/targets.js',
      /if \(returnTo !== null\) (setReturn\(url, returnTo\);)\s+if \(adds\).*\n/,
      'setReturn(url, returnTo);\n',
    ],
    ['navigation/route.js', 'setReturn(url, value, name = returnParameter)', 'setReturn(url, value)'],
    ['navigation/route.js', 'parameters.set(name, value)', 'parameters.set(returnParameter, value)'],
  ],
  'a session that is over': [
    [format, 'tokensInCookies(header, projectId, over)', 'tokensInCookies(header, projectId)'],
    [format, /if \(jar\.get\(`rxauth-witness[^]*?(return tokens;)[^]*?return null;/, '$1'],
    [store, 'tokensInCookies(header, projectId, store["~set"])', 'tokensInCookies(header, projectId)'],
  ],
  'the kind of a session': [
    [format, /const isBrief = .*\n/, ''],
    [format, 'isBrief ? void 0 : accessMaxAgeSeconds', 'accessMaxAgeSeconds'],
    [format, 'isBrief ? void 0 : refreshMaxAgeSeconds', 'refreshMaxAgeSeconds'],
    [format, /cookie\(`rxauth-brief.*\n/, ''],
    [format, /cookie\(`rxauth-witness.*\n/, ''],
    [store, '${maxAgeSeconds === void 0 ? "" : `; max-age=${maxAgeSeconds}`}', '; max-age=${maxAgeSeconds}'],
  ],
  rememberSession: [[store, /"~set": write,\s+/, '']],
}

const password = ['createKit', 'cookieTokens', 'signInWithPassword', 'user$']

/** The bytes of all seams together, at most. The options of signOut and redirectTo are read only in apps with these functions. */
const apps = [
  ['password only', 155, password],
  ['with signOut', 190, [...password, 'signOut']],
  ['with redirects', 190, [...password, 'redirectTo', 'navigateAfterAuth']],
] as const

/** Takes the seams out of the built modules. Fails if one of them is not found there. */
const without = (cuts: readonly Cut[]): Plugin => ({
  name: 'without seams',
  setup({ onLoad, onEnd }) {
    const left = new Set(cuts)
    onLoad({ filter: /\.js$/ }, async ({ path }) => {
      const own = cuts.filter(([module]) => path === join(root, 'dist', module))
      if (own.length === 0) return undefined
      let contents = await readFile(path, 'utf8')
      for (const cut of own) {
        const [, seam, other] = cut
        const next = contents.replace(seam, other)
        if (next !== contents) left.delete(cut)
        contents = next
      }
      return { contents }
    })
    onEnd(() => {
      if (left.size > 0)
        throw new Error(`not found: ${[...left].map(([module, seam]) => `${module}: ${seam}`).join('\n')}`)
    })
  },
})

describe('what an app pays for accounts and sessions that end with the browser, which it does not use', () => {
  // Promise: seams-of-accounts
  it.each(apps)('is, in an app %s, at most %i bytes', async (name, limit, imports) => {
    const app = `import { ${imports.join(', ')} } from 'rxauth'\nglobalThis.used = [${imports.join(', ')}]\n`
    const made = async (cuts: readonly Cut[]) => {
      const external = ['@simplewebauthn/browser']
      const { code } = await bundle(app, { minify: true, external, plugins: cuts.length > 0 ? [without(cuts)] : [] })
      return { code, size: gzipSync(code, { level: 9 }).length }
    }
    const whole = await made([])
    const bare = await made(Object.values(seams).flat())
    const rows = await Promise.all(
      Object.entries(seams).map(async ([seam, cuts]) => `  ${whole.size - (await made(cuts)).size} ${seam}`),
    )
    process.stderr.write(`${name}: ${whole.size - bare.size} of ${whole.size} bytes gzipped\n${rows.join('\n')}\n`)
    // A seam that no cut above takes out would leave one of its words.
    expect(whole.code).toMatch(ofSeams)
    expect(bare.code).not.toMatch(ofSeams)
    expect(whole.size - bare.size).toBeLessThanOrEqual(limit)
  })
})

/** Names that no minifier shortens, of all seams. */
const ofSeams = /rxauth-(?:brief|witness|account)|~(?:set|remember|accounts|leave|over|impersonates)|add_account/
