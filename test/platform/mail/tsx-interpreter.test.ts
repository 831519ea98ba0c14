import { drawTemplate } from '../../../src/platform/mail/tsx-template'

const imports = `import * as React from 'react'
import { Fragment } from 'react'
import { Button, Column, Container, Heading, Hr, Img, Link, Row, Section, Text } from '@react-email/components'
`

const variables = {
  name: 'Ada',
  isNew: true,
  count: 3,
  items: [
    { id: 1, title: 'Tea', price: 2.5 },
    { id: 2, title: 'Cake', price: 4 },
  ],
  tags: ['a', 'b'],
  address: { city: 'Turin', zip: null },
}

const inBody = (body: string, before = '') =>
  `${imports}${before}\nexport function EmailTemplate({ variables }: { variables: any }) {\n${body}\n}`
const jsx = (code: string, before?: string) => inBody(`return ${code}`, before)

/** Kinds of templates as they are found in public repositories. */
const played: readonly (readonly [what: string, source: string, html: string])[] = [
  ['a condition', jsx('<p>{variables.isNew ? "Welcome" : "Hello"}</p>'), '<p>Welcome</p>'],
  ['a condition of elements', jsx('<p>{variables.isNew ? <b>x</b> : null}</p>'), '<p><b>x</b></p>'],
  ['an element that is left out', jsx('<p>{variables.none && <b>x</b>}</p>'), '<p></p>'],
  ['a zero before &&', jsx('<p>{variables.items.length && "some"}</p>'), '<p>some</p>'],
  ['a value instead of none', jsx('<p>{variables.nick ?? variables.name}</p>'), '<p>Ada</p>'],
  ['a value instead of an empty one', jsx('<p>{variables.nick || "you"}</p>'), '<p>you</p>'],
  ['a negation', jsx('<p>{!variables.isNew && "old"}</p>'), '<p></p>'],
  ['comparisons', jsx('<p>{variables.count > 2 && variables.name !== "Bob" ? "many" : "few"}</p>'), '<p>many</p>'],
  ['a list', jsx('<ul>{variables.tags.map(tag => <li key={tag}>{tag}</li>)}</ul>'), '<ul><li>a</li><li>b</li></ul>'],
  [
    'a list with its index',
    jsx('<ol>{variables.tags.map((tag: string, i: number) => (<li key={i}>{i + 1}. {tag}</li>))}</ol>'),
    '<ol><li>1<!-- -->. <!-- -->a</li><li>2<!-- -->. <!-- -->b</li></ol>',
  ],
  [
    'records of a list',
    jsx('<>{variables.items.map(({ id, title }) => <Row key={id}><Column>{title}</Column></Row>)}</>'),
    '<div><div>Tea</div></div><div><div>Cake</div></div>',
  ],
  ['a part of a list', jsx('<p>{variables.items.filter(i => i.price > 3).map(i => i.title)}</p>'), '<p>Cake</p>'],
  ['a part by its place', jsx('<p>{variables.tags[1]}{variables.tags.slice(0, 1)}</p>'), '<p>b<!-- -->a</p>'],
  ['a sum', jsx('<p>{variables.items.reduce((sum, i) => sum + i.price, 0).toFixed(2)}</p>'), '<p>6.50</p>'],
  ['a joined list', jsx('<p>{variables.tags.join(" and ")}</p>'), '<p>a and b</p>'],
  ['a list without elements', jsx('<p>{[].map(x => x)}{[1, null, "x", false]}</p>'), '<p>1<!-- -->x</p>'],
  [
    'a template string',
    jsx('<Link href={`https://x.example/${variables.name}?a=1&b`}>x</Link>'),
    '<a href="https://x.example/Ada?a=1&amp;b">x</a>',
  ],
  ['texts that are put together', jsx('<p>{"Hi " + variables.name + "!"}</p>'), '<p>Hi Ada!</p>'],
  ['methods of texts', jsx('<p>{variables.name.toUpperCase().slice(0, 2).trim()}</p>'), '<p>AD</p>'],
  ['an optional chain', jsx('<p>{variables.none?.a.b}{variables.address?.city}</p>'), '<p>Turin</p>'],
  ['an optional call', jsx('<p>{variables.none?.map(x => x)}{variables.tags?.map(x => x)}</p>'), '<p>a<!-- -->b</p>'],
  [
    'a component of its own',
    jsx(
      '<Greeting name={variables.name} />',
      'const Greeting = ({ name }: { name: string }) => <Text>Hi {name}</Text>',
    ),
    '<p>Hi <!-- -->Ada</p>',
  ],
  [
    'a component around its children',
    jsx(
      '<Card title="T"><b>x</b>y</Card>',
      'function Card({ title, children }) { return <div><h2>{title}</h2>{children}</div> }',
    ),
    '<div><h2>T</h2><b>x</b>y</div>',
  ],
  [
    'a component that is declared later',
    `${jsx('<Foot />')}\nfunction Foot() { return <Text>Bye</Text> }`,
    '<p>Bye</p>',
  ],
  [
    'a component with the value of a default',
    jsx('<B />', 'const B = ({ label = "Open", ...rest }) => <Button {...rest} href="/x">{label}</Button>'),
    '<a href="/x">Open</a>',
  ],
  [
    'properties that are spread',
    jsx('<Img {...{ src: "a.png", alt: variables.name }} />'),
    '<img src="a.png" alt="Ada">',
  ],
  ['a fragment with a name', jsx('<React.Fragment><Fragment key="a">x</Fragment></React.Fragment>'), 'x'],
  [
    'styles beside the component',
    jsx('<Text style={text}>x</Text>', 'const text = { fontSize: 14, color: "#000" }'),
    '<p style="font-size:14px;color:#000">x</p>',
  ],
  [
    'styles that are put together',
    jsx('<p style={{ ...base, margin: 0, lineHeight: 1.5 }}>x</p>', 'const base = { color: "red" } as const'),
    '<p style="color:red;margin:0;line-height:1.5">x</p>',
  ],
  [
    'styles in a record',
    jsx('<p style={styles.a}>x</p>', 'const styles = { a: { color: "red" } }'),
    '<p style="color:red">x</p>',
  ],
  [
    'names before the return',
    inBody('const { name, count = 1 } = variables\nconst twice = count * 2\nreturn <p>{name}{twice}</p>'),
    '<p>Ada<!-- -->6</p>',
  ],
  ['a return before the end', inBody('if (!variables.none) return <p>none</p>\nreturn <p>some</p>'), '<p>none</p>'],
  [
    'another way',
    inBody('if (variables.count > 5) { return <p>a</p> } else if (variables.count) { return <p>b</p> }'),
    '<p>b</p>',
  ],
  ['nothing', inBody('if (variables.isNew) return null\nreturn <p>x</p>'), ''],
  [
    'an element by a name',
    inBody('const head = <h1>Hi</h1>\nreturn <div>{head}{head}</div>'),
    '<div><h1>Hi</h1><h1>Hi</h1></div>',
  ],
  [
    'a function that makes elements',
    inBody('const line = (text: string) => <li>{text}</li>\nreturn <ul>{line("a")}{line("b")}</ul>'),
    '<ul><li>a</li><li>b</li></ul>',
  ],
  [
    'a component by the kind of a value',
    jsx('<Tag>x</Tag>', 'const tags = { big: Heading, small: Text }\nconst Tag = tags["big"]'),
    '<h1>x</h1>',
  ],
  [
    'an interface, a type and a generic',
    jsx(
      '<List<string> items={variables.tags} />',
      'interface P<T> { items: T[] }\ntype Q = P<string>\nconst List = <T,>({ items }: P<T>) => <p>{items.length as number}{items[0]!}</p>',
    ),
    '<p>2<!-- -->a</p>',
  ],
  [
    'entities and line breaks',
    jsx("<p>\n  Tom &amp; Jerry&nbsp;&copy;\n  it's\n</p>"),
    '<p>Tom &amp; Jerry\u00a0© it&#x27;s</p>',
  ],
  [
    'an arrow function as the component',
    `${imports}export const EmailTemplate = () => <Hr />\nexport default EmailTemplate`,
    '<hr>',
  ],
  ['a renamed export', `const Mail = () => <p>x</p>\nexport { Mail as EmailTemplate }`, '<p>x</p>'],
  ['a set of ways', jsx('<p>{{ gold: "G", tin: "T" }[variables.level ?? "tin"]}</p>'), '<p>T</p>'],
  ['the kind of a value', jsx('<p>{typeof variables.name === "string" && String(variables.count)}</p>'), '<p>3</p>'],
]

// Promise: rendered-mails
it.each(played)('a template is played with %s', async (_, source, html) => {
  expect(await drawTemplate(source, { variables })).toEqual({ html })
})

// Promise: templates-not-executed
it.each([
  ['an async component', 'export async function EmailTemplate() { return <p /> }', 'FunctionDeclaration: async'],
  ['a loop', inBody('for (const a of variables.tags) {}\nreturn <p />'), 'ForOfStatement'],
  ['a class', jsx('<p />', 'class A {}'), 'ClassDeclaration'],
  ['a try', inBody('try { return <p /> } catch {}'), 'TryStatement'],
  ['an assignment', inBody('let a = 1\na = 2\nreturn <p />'), 'AssignmentExpression: a = 2'],
  ['a change of a variable', inBody('variables.name = "x"\nreturn <p />'), 'AssignmentExpression'],
  ['a regular expression', jsx('<p>{variables.name.replace(/a/g, "b")}</p>'), 'Literal: /a/g'],
  ['a date', jsx('<p>{new Date().getFullYear()}</p>'), 'NewExpression: new Date()'],
  ['an import of another file', `import { x } from './x'\n${jsx('<p>{x()}</p>')}`, 'cannot play x of ./x'],
  [
    'a component that it does not have',
    `import { Tailwind } from '@react-email/components'\nexport const EmailTemplate = () => <Tailwind />`,
    'cannot play Tailwind of @react-email/components; of React Email it plays Html, Head',
  ],
  [
    'a hook',
    `import { useState } from 'react'\nexport const EmailTemplate = () => <p>{useState(1)}</p>`,
    'cannot play useState of react',
  ],
  ['a method that changes a list', jsx('<p>{variables.tags.push("x")}</p>'), 'the method push() of a list'],
  [
    'a way to a prototype',
    jsx('<p>{(() => 1).constructor("return 1")()}</p>'),
    'the method constructor() of a function',
  ],
])('a template with %s is refused in words', async (_, source, words) => {
  expect(await drawTemplate(source, { variables })).toEqual({ error: expect.stringContaining(words) })
})

it.each([
  ['a name that is not there', jsx('<p>{fetch("/")}</p>'), 'fetch is not defined'],
  ['an import that is missing', 'export const EmailTemplate = () => <Text>x</Text>', 'Text is not defined'],
  ['a value that is not there', jsx('<p>{variables.none.a}</p>'), "Cannot read properties of undefined (reading 'a')"],
  ['a text that is called', jsx('<p>{variables.address.city()}</p>'), 'variables.address.city is not a function'],
  ['a record as content', jsx('<p>{variables.address}</p>'), 'an object or a function is no content of an element'],
  ['a style that is a text', jsx('<p style="color: red">x</p>'), 'style of <p> is no object'],
  ['content of an empty element', jsx('<Hr>x</Hr>'), '<hr> has no content'],
  ['HTML that is no text', jsx('<p dangerouslySetInnerHTML={{ __html: 1 }} />'), 'dangerouslySetInnerHTML is not'],
  ['an error of its own', inBody('throw new Error(`bo${"om"}`)'), 'boom'],
  ['an error of the module', `throw Error('boom')\n${jsx('<p />')}`, 'boom'],
])('a template with %s ends with the error in JSON', async (_, source, message) => {
  const { error } = (await drawTemplate(source, { variables })) as { readonly error: string }
  expect(JSON.parse(error)).toEqual({
    message: expect.stringContaining(message),
    stack: expect.stringContaining(`Error: ${message}`),
  })
})

// Promise: templates-not-executed
it.each([
  ['a component within itself', jsx('<A />', 'function A() { return <p><A /></p> }')],
  ['a function that calls itself', inBody('const f = n => f(n + 1)\nreturn <p>{f(0)}</p>')],
  ['a list of lists', jsx(`<p>{${'variables.many.map(() => '.repeat(4)}1${')'.repeat(4)}}</p>`)],
  ['a text that is doubled', inBody('const f = (s, n) => n ? f(s + s, n - 1) : s\nreturn <p>{f("abcdefgh", 60)}</p>')],
  ['an element that is doubled', inBody('const f = (s, n) => n ? f(<>{s}{s}</>, n - 1) : s\nreturn f("a", 60)')],
  ['a list that is doubled', inBody('const f = (s, n) => n ? f([...s, ...s], n - 1) : s\nreturn <p>{f([1], 60)}</p>')],
  ['a list within itself', jsx('<p>{variables.many.reduce(list => [list], "x")}</p>')],
  ['a long separator', jsx('<p>{variables.many.join(variables.long)}</p>')],
  ['deep code', jsx(`<p>{${'!'.repeat(1000)}1}</p>`)],
  ['deep elements', jsx('<b>'.repeat(900) + '</b>'.repeat(900))],
])('a template ends by its steps, not by time: %s', async (_, source) => {
  const many = Array.from({ length: 1000 }, (_, index) => index)
  expect(await drawTemplate(source, { variables: { many, long: 'x'.repeat(100_000) } })).toEqual({
    error: expect.stringMatching(/^the local platform stops a template that/),
  })
})

it('a template is not played with variables that are nested too deep', async () => {
  let deep: unknown = 'x'
  for (let depth = 0; depth < 100_000; depth++) deep = [deep]
  expect(await drawTemplate(jsx('<p />'), { variables: { deep } })).toEqual({
    error: expect.stringContaining('nested too deep'),
  })
})

// Promise: templates-not-executed
it('a template is never run as code', async () => {
  const source = jsx('<p>x</p>', 'const run = () => { globalThis.wasRun = true }')
  expect(await drawTemplate(source, {})).toEqual({ html: '<p>x</p>' })
  expect('wasRun' in globalThis).toBe(false)
})
