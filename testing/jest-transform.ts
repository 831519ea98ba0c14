import { createHash } from 'node:crypto'
import { transform } from 'sucrase'
import { version } from '../src/core/version'

/**
 * What jest-config asks of a transformer: ES modules, TypeScript and JSX as CommonJS, `jest.mock` above imports.
 *
 * The kit and three of its dependencies are published as ES modules only, and Jest runs CommonJS. Line numbers stay what
 * they are.
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
  return { code }
}

export function getCacheKey(source: string, path: string): string {
  return createHash('sha256').update(`${version}\0${path}\0${source}`).digest('hex')
}
