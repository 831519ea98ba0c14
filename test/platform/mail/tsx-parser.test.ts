import { transform, type TransformFailure } from 'esbuild'
import { tsxParser } from '../../../src/platform/mail/tsx-parser'
import { drawTemplate, drawTheme } from '../../../src/platform/mail/tsx-template'
import { readsOf } from '../counted-text'

const template = (body: string) => `import { Subject } from '@stackframe/emails'
export function EmailTemplate({ variables }) {
${body}
}
`

/** The place at which esbuild stops, which the hosted platform builds with. */
async function placeOf(source: string): Promise<string> {
  const { errors } = await transform(source, { loader: 'tsx', logLevel: 'silent' }).then(
    () => ({ errors: [] }),
    (failure: unknown) => failure as TransformFailure,
  )
  const [{ location } = { location: null }] = errors
  return `Build failed with 1 error:\nvirtual:/template.tsx:${location?.line}:${location?.column}: ERROR: `
}

describe('a template that no build takes', () => {
  it.each([
    'export function EmailTemplate( {',
    'nope(',
    'nope(1',
    'nope({',
    'const list = [1, 2',
    'const list = [1, 2)',
    'nope)',
    'export function EmailTemplate() {',
    'export function EmailTemplate() { return <p>Hi</p> ',
    'export function EmailTemplate() { return (<p>Hi</p> }',
    template('  return <p>Hi</div>'),
    template('  return <p>one<br>two</p>'),
    template('  return <p>Hi'),
    template('  return <p>a } b</p>'),
    template('  return <p>2 > 1</p>'),
    'export const form = /[(]"/\nnope(',
  ])('is refused at the place that esbuild names: %j', async source => {
    const place = await placeOf(source)
    expect(place).not.toContain('undefined')
    expect(await drawTemplate(source, {})).toEqual({ error: expect.stringContaining(place) })
  })

  it('is named after its kind', async () => {
    expect(await drawTheme('export function EmailTheme( {')).toEqual({
      error: 'Build failed with 1 error:\nvirtual:/theme.tsx:1:29: ERROR: Unexpected token',
    })
  })
})

// Promise: templates-not-executed
it.each(['f<', 'a<(', '((', '<p>', '<a ', '{', '"a",', '`${', '{""}', 'x=<T>(', '=>', 'return ', 'a?(b):', '/*', '\n'])(
  'a source of many %j is read in a few steps of each character, or refused',
  async part => {
    const parse = await tsxParser()
    const source = part.repeat(10_000)
    let fault: unknown
    const parsed = async () => {
      try {
        await Promise.resolve(parse(source))
      } catch (error) {
        fault = error
      }
    }
    expect(await readsOf(parsed)).toBeLessThan(100 * source.length)
    if (fault !== undefined) expect(fault).toHaveProperty('at')
  },
)
