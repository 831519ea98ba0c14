import { transform } from 'esbuild'
import type { TransformFailure } from 'esbuild'
import { drawTemplate, drawTheme } from '../../../src/platform/mail/tsx-template'

const template = (body: string) => `import { Subject } from '@stackframe/emails'
export function EmailTemplate({ variables }) {
${body}
}
`

/** What esbuild itself says, as the hosted platform passes it on. */
async function complaintOf(source: string): Promise<string> {
  const { errors } = await transform(source, { loader: 'tsx', logLevel: 'silent' }).then(
    () => ({ errors: [] }),
    (failure: unknown) => failure as TransformFailure,
  )
  const [{ text, location } = { text: 'none', location: null }] = errors
  return `Build failed with 1 error:\nvirtual:/template.tsx:${location?.line}:${location?.column}: ERROR: ${text}`
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
  ])('has the complaint of esbuild: %j', async source => {
    const complaint = await complaintOf(source)
    expect(complaint).not.toContain('none')
    expect(drawTemplate(source, {})).toEqual({ error: complaint })
  })

  it('is named after its kind', () => {
    expect(drawTheme('export function EmailTheme( {', '')).toEqual({
      error: 'Build failed with 1 error:\nvirtual:/theme.tsx:1:29: ERROR: Expected identifier but found end of file',
    })
  })
})

describe('a template that throws', () => {
  const boom = { error: JSON.stringify({ message: 'boom', stack: 'Error: boom' }) }

  it.each([
    `export function EmailTemplate() { throw new Error('boom') }`,
    `export const EmailTemplate = () => {\n  throw new Error("boom");\n}`,
    `throw Error(\`boom\`)\n${template('  return <p>Hi</p>')}`,
    template(`  const a = f(1)\n  throw new Error('boom')\n  return <p>{f()}</p>`),
  ])('says with what: %j', source => {
    expect(drawTemplate(source, {})).toEqual(boom)
  })

  it.each([
    template(`  if (!variables) throw new Error('boom')\n  return <p>Hi</p>`),
    template(`  if (!variables) { throw new Error('boom') }\n  return <p>Hi</p>`),
    template(`  if (variables) ready()\n  else throw new Error('boom')\n  return <p>Hi</p>`),
    template(`  const fail = () => { throw new Error('boom') }\n  return <p>Hi</p>`),
    `function fail() { throw new Error('boom') }\n${template('  return <p>Hi</p>')}`,
    template(`  return <p>Hi</p>\n  throw new Error('boom')`),
    template(`  // throw new Error('boom')\n  return <p>Hi</p>`),
  ])('only sometimes is shown without it: %j', source => {
    expect(drawTemplate(source, {})).toEqual({ html: '<p>Hi</p>' })
  })
})
