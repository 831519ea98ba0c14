import { gzipSync } from 'node:zlib'
import { bundle, type Bundle } from './bundle'
import limits from './size-limits.json'

/** Whoever uses React has it already. */
const external = ['react', 'react-dom', 'react/jsx-runtime']

const imports: Record<keyof typeof limits, readonly string[]> = {
  'password only': ['createKit', 'cookieTokens', 'signInWithPassword', 'user$'],
  createClientApp: ['createClientApp', 'cookieTokens'],
}

describe('the gzipped bytes that an app pays, dependencies included', () => {
  it.each(Object.entries(limits))('for %s are at most %i', async (name, limit) => {
    const names = imports[name as keyof typeof limits].join(', ')
    const app = `import { ${names} } from 'rxauth'\nglobalThis.used = [${names}]\n`
    const bundled = await bundle(app, { minify: true, external })
    const size = gzipSync(bundled.code, { level: 9 }).length
    process.stderr.write(`${name}: ${size} of ${limit} bytes gzipped; minified, by module:\n${byModule(bundled)}\n`)
    expect(size).toBeLessThanOrEqual(limit)
  })
})

/** Ours by file, dependencies by package, the largest first. */
function byModule({ metafile }: Bundle): string {
  const bytes = new Map<string, number>()
  for (const [path, { bytesInOutput }] of Object.entries(Object.values(metafile.outputs)[0]!.inputs)) {
    const module = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path
    bytes.set(module, (bytes.get(module) ?? 0) + bytesInOutput)
  }
  return [...bytes]
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([module, count]) => `  ${String(count).padStart(6)}  ${module}`)
    .join('\n')
}
