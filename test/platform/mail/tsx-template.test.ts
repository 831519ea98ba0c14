import fc from 'fast-check'
import { drawTemplate, drawTheme, newTheme, templateOfHtml } from '../../../src/platform/mail/tsx-template'

const component = (jsx: string) => `import { Container, Hr, Img, Link, Text } from '@react-email/components'
import { NotificationCategory, Subject } from '@stackframe/emails'

export function EmailTemplate({ variables }: { variables: { name: string } }) {
  return (
    ${jsx}
  )
}

EmailTemplate.PreviewVariables = { name: 'Ada' } satisfies object
`

const variables = { name: '<Ada>', count: 2, link: '/?a=1&b' }

describe('a template in TSX', () => {
  // Promise: rendered-mails
  it.each<[jsx: string, html: string]>([
    ['<p>Hello</p>', '<p>Hello</p>'],
    [
      '<Text>Hello {variables.name}, {variables.count} of {variables.missing}</Text>',
      '<p>Hello <!-- -->&lt;Ada&gt;<!-- -->, <!-- -->2<!-- --> of </p>',
    ],
    ['<p>{variables.count}{variables.missing}{variables.count}</p>', '<p>2<!-- -->2</p>'],
    ['<p>a{/* nothing */}b</p>', '<p>a<!-- -->b</p>'],
    ['<p>a<>b</>{"c"}<b>d</b>e</p>', '<p>a<!-- -->b<!-- -->c<b>d</b>e</p>'],
    ['<p>a<Hr />b</p>', '<p>a<hr>b</p>'],
    [
      '<Link href={variables.link} style={{ color: "red" }}>Open</Link>',
      '<a href="/?a=1&amp;b" style="color:red">Open</a>',
    ],
    ['<Container><Hr /><Img src="a.png" /></Container>', '<div><hr><img src="a.png"></div>'],
    ['<>{/* nothing */}<b>{"bold"}</b></>', '<b>bold</b>'],
    ['<p title="return <b>" hidden>{"=> <i>"}</p>', '<p title="return &lt;b&gt;" hidden="">=&gt; &lt;i&gt;</p>'],
  ])('is drawn as React does: %s', async (jsx, html) => {
    expect(await drawTemplate(component(jsx), { variables })).toEqual({ html })
  })

  it('demands the variables of its schema, without the optional ones', async () => {
    const schema = `import { type } from 'arktype'
export const variablesSchema = type({ name: 'string', 'nick?': 'string', count: 'number' })\n`
    const source = schema + component('<p>{variables.count}</p>')
    expect(await drawTemplate(source, { variables: { name: '' } })).toEqual({ error: 'variables.count has no value' })
    expect(await drawTemplate(source, { variables: { name: '', count: 0 } })).toEqual({ html: '<p>0</p>' })
  })

  it('shows no inherited property of the variables', async () => {
    const jsx = '<p>{variables.constructor}{variables.__proto__}{variables.name.constructor}</p>'
    expect(await drawTemplate(component(jsx), { variables })).toEqual({ html: '<p></p>' })
  })

  it('shows HTML unchanged, whatever it contains', async () => {
    const parts = fc.constantFrom('return ', '=> ', '<b>', '(', '"', "'", '`', '//', '/*', '*/', '\\', '\n', '}')
    const text = fc.array(fc.oneof(parts, fc.string())).map(all => all.join(''))
    await fc.assert(
      fc.asyncProperty(text, async html => {
        expect(await drawTemplate(templateOfHtml(html), {})).toEqual({ html: `<div>${html}</div>` })
      }),
    )
  })
})

describe('a theme in TSX', () => {
  it('is drawn around a mail, which it does not escape', async () => {
    const theme = await drawTheme(newTheme())
    expect('around' in theme && theme.around('<p>Hello</p>')).toMatch(
      /^<!doctype html>\n<html><head><\/head><body style="margin:0;padding:32px;.*<p>Hello<\/p>.*<\/html>$/,
    )
  })

  it('has no variables, and another name than a template', async () => {
    const missing = {
      error: JSON.stringify({ message: 'variables is not defined', stack: 'ReferenceError: variables is not defined' }),
    }
    expect(await drawTheme('export const EmailTheme = () => <p>{variables.x}</p>')).toEqual(missing)
    expect(await drawTheme(component('<p />'))).toEqual({ error: 'the source exports no function EmailTheme' })
  })
})
