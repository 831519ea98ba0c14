import { join } from 'node:path'

type Settings = { readonly instrument: boolean; readonly config: object; readonly transformerConfig: object }
type Module = {
  readonly default: {
    createTransformer(options: object): {
      process(source: string, file: string, settings: Settings): { readonly code: string }
    }
  }
}

const root = join(__dirname, '../..')
const options = { jsc: { parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } }

function transformed(path: string, source: string, instrument = false): string {
  const { createTransformer } = jest.requireActual<Module>('./transform.mjs').default
  const settings = { instrument, config: {}, transformerConfig: {} }
  return createTransformer(options).process(source, join(root, path), settings).code
}

describe('the bundle of the sources', () => {
  it.each(['src/store/cell.ts', 'react/index.ts', 'node_modules/rxjs/dist/cjs/index.js'])('has %s', path => {
    expect(transformed(path, 'export const one = 1')).toBe(
      `module.exports = require("${root}/test/setup/sources.cjs")["${path}"]()`,
    )
  })

  it.each(['test/world.ts', 'src/platform-bin.ts', 'react/console/owner.ts', 'src/testing/playwright.ts'])(
    'does not have %s',
    path => {
      expect(transformed(path, 'export const one = 1')).toContain('one')
    },
  )

  it('is left aside where the lines of each file are counted', () => {
    expect(transformed('src/store/cell.ts', 'export const one = 1', true)).toContain('one')
  })

  // Not in one piece, or this file would be refused as well.
  it.each([
    ['mock', '../../src/store/cell'],
    ['doMock', 'rxauth'],
  ])('refuses %s of %s, of which a test would see nothing', (method, name) => {
    const source = `jest.${method}('${name}', () => ({}))`
    expect(() => transformed('test/store/cell.test.ts', source)).toThrow('spy on a method')
  })

  it('is the one copy that entries and deep imports share', async () => {
    const [{ AuthError }, deep] = await Promise.all([import('rxauth'), import('../../src/errors/auth-error')])
    expect(AuthError).toBe(deep.AuthError)
  })
})
