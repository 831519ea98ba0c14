import fc from 'fast-check'
import { drawTemplate, drawTheme, newTemplate, newTheme, templateOfHtml } from '../../../src/platform/mail/tsx-template'
import { countedText } from '../counted-text'

const component = (jsx: string) => `import { Container, Hr, Img, Link, Text } from '@react-email/components'
import { Subject } from '@stackframe/emails'

export function EmailTemplate({ variables }: { variables: { name: string } }) {
  return (
    ${jsx}
  )
}

EmailTemplate.PreviewVariables = { name: 'Ada' }
`

describe('a template in TSX', () => {
  it.each<[jsx: string, html: string]>([
    ['<p>Hello</p>', '<p>Hello</p>'],
    [
      '<Text>Hello {variables.name}, {variables.count} of {variables.missing}</Text>',
      '<p>Hello &#60;Ada&#62;, 2 of </p>',
    ],
    [
      '<Link href={variables.link} style={{ color: "red" }}>Open</Link>',
      '<a href="/?a=1&#38;b" style="color:red">Open</a>',
    ],
    ['<Container><Hr /><Img src="a.png" /></Container>', '<div><hr><img src="a.png"></div>'],
    ['<>{/* nothing */}<b>{"bold"}</b></>', '<b>bold</b>'],
    ['<Text>Please return <b>it</b> soon</Text>', '<p>Please return <b>it</b> soon</p>'],
    ['<p title="return <b>">{"=> <i>"}</p>', '<p title="return <b>">=&#62; &#60;i&#62;</p>'],
  ])('is drawn: %s', (jsx, html) => {
    expect(drawTemplate(component(jsx), { name: '<Ada>', count: 2, link: '/?a=1&b' })).toEqual({ html })
  })

  it('may be an arrow function, and names its subject and category', () => {
    const source = `import { NotificationCategory, Subject } from '@stackframe/emails'
export const EmailTemplate = ({ variables }) => <div>
      <Subject value={variables.subject} />
      <NotificationCategory value="Marketing" />
      Hello
    </div>`
    expect(drawTemplate(source, { subject: 'Q&A' })).toEqual({
      html: '<div>Hello</div>',
      subject: 'Q&A',
      notificationCategory: 'Marketing',
    })
  })

  it.each([
    '// => <p>a comment</p>\nexport function Mail() { return <p>Hello</p> }',
    '/* return <p /> */ export const Mail = () => <p>Hello</p> // return <p />',
    "const title = 'return <p />'; export const Mail = () => <p>Hello</p>",
    'const returned = <p />\nexport function Mail() { return <p>Hello</p> }',
  ])('is the JSX that the source returns, not what a comment or text says: %s', source => {
    expect(drawTemplate(source, {})).toEqual({ html: '<p>Hello</p>' })
  })

  // Promise: templates-not-executed
  it.each<[what: string, source: string, words: string]>([
    ['code between braces', component('<p>{variables.name + 1}</p>'), 'executes no code'],
    ['a call', component('<p>{fetch("/")}</p>'), 'cannot play {fetch}'],
    ['a condition', component('<p>{variables.a ? <b>x</b> : null}</p>'), 'executes no code'],
    ['another name', component('<p>{user.displayName}</p>'), 'cannot play {user.displayName}'],
    ['what a prototype has', component('<p>{variables.a.b}</p>'), 'cannot play {variables.a.b}'],
    ['a component of its own', component('<Fancy />'), 'cannot play the component <Fancy>; it plays Container'],
    ['a template string', component('<p>{`Hi`}</p>'), 'executes no code'],
    ['several returns', `if (a) return <a />\nreturn <b />`, 'returns JSX several times'],
    ['no return', 'const a = 1', 'returns none'],
    ['an unclosed element', component('<p><b>Hello</p>'), 'closing "p" tag does not match opening "b" tag'],
    ['a subject with content', component('<p><Subject>Hi</Subject></p>'), '<Subject> has content'],
    ['HTML that is no text', component('<p dangerouslySetInnerHTML={{ __html: x }} />'), '__html is no text'],
  ])('is refused, in words, with %s', (_, source, words) => {
    expect(drawTemplate(source, {})).toEqual({ error: expect.stringContaining(words) })
  })

  it('shows no inherited property of the variables', () => {
    expect(drawTemplate(component('<p>{variables.constructor}</p>'), {})).toEqual({ html: '<p></p>' })
  })

  // Promise: templates-not-executed
  it('is never executed', () => {
    const source = `globalThis.wasRun = true; export default () => <p>{"x"}</p>`
    expect(drawTemplate(source, {})).toEqual({ html: '<p>x</p>' })
    expect('wasRun' in globalThis).toBe(false)
  })

  it('shows HTML unchanged, whatever it contains', () => {
    const parts = fc.constantFrom('return ', '=> ', '<b>', '(', '"', "'", '`', '//', '/*', '*/', '\\', '\n', '}')
    const text = fc.array(fc.oneof(parts, fc.string())).map(all => all.join(''))
    fc.assert(
      fc.property(text, html => {
        expect(drawTemplate(templateOfHtml(html), {})).toEqual({ html: `<div>${html}</div>` })
      }),
    )
  })

  it('is drawn from the first one that a new template has', () => {
    expect(drawTemplate(newTemplate, { count: 3 })).toEqual({
      html: '<div><p>Hello! The count is 3</p></div>',
      subject: 'A new mail',
      notificationCategory: 'Transactional',
    })
  })

  // Promise: templates-not-executed
  it.each<[what: string, source: string]>([
    ['spaces after many returns', `${'return '.repeat(20_000)}<p />`],
    ['arrows and spaces', `=>${' '.repeat(50_000)}`],
    ['open braces', component('{'.repeat(50_000))],
    ['a long name', component(`<p>{${'a.'.repeat(20_000)}}</p>`)],
  ])('reads each character a few times: %s', (_, source) => {
    const counted = countedText(source)
    drawTemplate(counted.text, {})
    expect(counted.steps()).toBeLessThan(20 * source.length)
  })
})

describe('a theme in TSX', () => {
  it('is drawn around a mail, which it does not escape', () => {
    const { html } = drawTheme(newTheme(), '<p>Hello</p>') as { readonly html: string }
    expect(html).toMatch(
      /^<!doctype html>\n<html><head><\/head><body style="margin:0;padding:32px;.*<p>Hello<\/p>.*<\/html>$/,
    )
  })

  it('has no variables', () => {
    expect(drawTheme('() => <p>{variables.x}</p>', '')).toEqual({ error: expect.stringContaining('{variables.x}') })
  })
})
