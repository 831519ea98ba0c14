import { createHash } from 'node:crypto'
import { transform } from 'sucrase'
import { version } from '../core/version'

/**
 * The transformer for Jest: ES modules, TypeScript and JSX to CommonJS, `jest.mock` hoisted above imports.
 *
 * The kit and three of its dependencies are published as ES modules only, and Jest runs CommonJS. Line numbers are
 * preserved.
 */
export function process(source: string, path: string): { readonly code: string } {
  const isTyped = /\.[cm]?tsx?$/.test(path)
  const isMarkup = /\.[cm]?[jt]sx?$/.test(path) && !/\.[cm]?ts$/.test(path)
  const { code } = transform(source, {
    transforms: ['imports', 'jest', ...(isTyped ? ['typescript' as const] : []), ...(isMarkup ? ['jsx' as const] : [])],
    jsxRuntime: 'automatic',
    production: true,
    preserveDynamicImport: false,
    disableESTransforms: true,
    filePath: path,
  })
  return { code: code.includes('import.meta.url') ? withItsUrl(code) : code }
}

/** CommonJS has no \`import.meta\`; the address of the module goes to the first line. */
function withItsUrl(code: string): string {
  const declared = 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;'
  return code.replace(/^(?:"use strict";)?/, `$&${declared}`).replaceAll('import.meta.url', 'importMetaUrl')
}

export function getCacheKey(source: string, path: string): string {
  return createHash('sha256').update(`${version}\0${path}\0${source}`).digest('hex')
}
