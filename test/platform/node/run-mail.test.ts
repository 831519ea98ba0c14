import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { drawTemplate, drawTheme, newTemplate, newTheme } from '../../../src/platform/mail/tsx-template'
import { mailRunner } from '../../../src/platform/node/run-mail'
import type { MailRunner } from '../../../src/platform/model/emails'
import { mailProgram, project } from './mail-program'

let folder: string
let program: URL
let runner: MailRunner

beforeAll(async () => {
  ;({ folder, program } = await mailProgram())
  runner = mailRunner(project, { program })!
})

afterAll(() => {
  runner.end()
  rmSync(folder, { recursive: true })
})

const imports = `import * as React from 'react'
import { useState } from 'react'
import { Heading, Text } from '@react-email/components'
import { NotificationCategory, Subject } from '@stackframe/emails'
import { type } from 'arktype'
`

const inBody = (body: string, before = '') =>
  `${imports}${before}\nexport function EmailTemplate({ variables }: { variables: any }) {\n${body}\n}`

const draw = (source: string, variables: object = { name: 'Ada', tags: ['a', 'b'] }) =>
  drawTemplate(source, { variables: { ...variables } }, undefined, runner.run)

// Promise: templates-run-apart
it.each<[what: string, source: string, html: string]>([
  [
    'a loop',
    inBody('const all = []\nfor (const tag of variables.tags) all.push(<b>{tag}</b>)\nreturn all'),
    '<b>a</b><b>b</b>',
  ],
  ['a class', inBody('return <A />', 'class A extends React.Component { render() { return <i>x</i> } }'), '<i>x</i>'],
  ['a hook', inBody('const [count] = useState(4)\nreturn <p>{count}</p>'), '<p>4</p>'],
  ['a date', inBody('return <p>{new Date(0).getUTCFullYear()}</p>'), '<p>1970</p>'],
  ['an expression', inBody('return <p>{variables.name.replace(/d/g, "DD")}</p>'), '<p>ADDa</p>'],
  ['what comes later', inBody('return <A />', 'async function A() { await null; return <i>x</i> }'), '<i>x</i>'],
  ['two texts', inBody('return <p>Hello {variables.name}</p>'), '<p>Hello <!-- -->Ada</p>'],
  ['letters of every kind', inBody('return <p>ü € 😀 100%</p>'), '<p>ü € 😀 100%</p>'],
])('a template runs with React: %s', async (_, source, html) => {
  expect(await draw(source)).toEqual({ html })
})

it('a template has the components of React Email', async () => {
  const { html } = (await draw(inBody('return <Text>x</Text>'))) as { readonly html: string }
  expect(html).toMatch(/^<p style="font-size:14px;[^"]*">x<\/p>$/)
  const tailwind = `import { Tailwind } from '@react-email/components'\n`
  const styled = await draw(tailwind + inBody('return <Tailwind><p className="font-bold">x</p></Tailwind>'))
  expect(styled).toEqual({ html: '<p style="font-weight:700">x</p>' })
})

it('a template names its subject and its category, and is previewed with its own variables', async () => {
  const drawn = (await drawTemplate(newTemplate, {}, undefined, runner.run)) as { readonly html: string }
  expect(drawn).toMatchObject({ subject: 'A new mail', notificationCategory: 'Transactional' })
  expect(drawn.html).toContain('The count is <!-- -->10')
  expect(await draw(newTemplate, {})).toEqual({ error: 'variables.count has no value' })
})

it('a theme runs around a mail', async () => {
  const theme = await drawTheme(newTheme(), undefined, runner.run)
  expect('around' in theme && theme.around('<p>$&</p>')).toMatch(/^<!DOCTYPE html><html.*<p>\$&<\/p>.*<\/html>$/)
})

it.each([
  ['an error of its own', inBody('throw new Error("boom")'), 'boom'],
  ['a name that is not imported', inBody('return <Html />'), 'Html is not defined'],
  ['a value that is not there', inBody('return variables.none.a'), "Cannot read properties of undefined (reading 'a')"],
])('%s is answered as the hosted platform does', async (_, source, message) => {
  const { error } = (await draw(source)) as { readonly error: string }
  expect(JSON.parse(error)).toEqual({ message, stack: expect.stringContaining(`Error: ${message}`) })
})

it('a source that cannot be built is refused before it runs', async () => {
  expect(await draw('nope(')).toEqual({
    error: expect.stringMatching(/^Build failed with 1 error:\nvirtual:\/template.tsx:1:5/),
  })
})

/** What a template finds by a way out of its context. */
const found = (way: string) =>
  inBody(
    `let hit = 'nothing'\ntry { hit = String((${way}).pid) } catch (error) { hit = 'refused' }\nreturn <p>{hit}</p>`,
  )

// Promise: templates-run-apart
it.each([
  ['the process', found('process')],
  ['a constructor', found(`globalThis.constructor.constructor('return process')()`)],
  ['the constructor of an import', found(`Subject.constructor('return process')()`)],
  ['a module', found(`require('node:process')`)],
  [
    'the place of an error',
    inBody('const all = []\nError.prepareStackTrace = (_, list) => { all.push(list) }\nreturn <p />'),
  ],
  [
    'an error of Node, where the stack ends',
    inBody(
      `let hit = 'nothing'
      function deep() {
        try { void new Error('x').stack; deep() }
        catch (error) {
          try { hit = String(error.constructor.constructor('return process')().pid) } catch {}
          throw error
        }
      }
      try { deep() } catch {}
      return <p>{hit}</p>`,
    ),
  ],
  [
    'the error of an import',
    inBody(
      'return <A />',
      `async function A() {
        try { return String(Object.keys(await import('node:fs')).length) }
        catch (error) { return String(error.constructor.constructor('return process')().pid) }
      }`,
    ),
  ],
])('a template does not reach the process by %s', async (_, source) => {
  const { html = '', error = '' } = (await draw(source)) as { readonly html?: string; readonly error?: string }
  expect(html + error).toMatch(/nothing|refused|disallowed|read only|cannot play/)
})

const stopped = expect.objectContaining({ error: expect.stringMatching(/^the local platform stops a template that/) })

// Promise: templates-run-apart
it.each([
  ['a loop without end', inBody('for (;;);')],
  ['promises without end', inBody('void (async () => { for (;;) await null })()\nreturn <p />')],
  ['an expression that takes years', inBody('return <p>{String(/^(a+)+$/.test("a".repeat(60) + "b"))}</p>')],
])('a template with %s is stopped', async (_, source) => {
  const brief = mailRunner(project, { program, limitMillis: 500 })!
  expect(await drawTemplate(source, {}, undefined, brief.run)).toEqual(stopped)
  brief.end()
})

// Promise: templates-run-apart
it.each([
  ['waits for what never comes', inBody('return <A />', 'async function A() { await new Promise(() => {}) }')],
  ['makes a list without end', inBody('const all = []\nfor (;;) all.push(new Array(1e6).fill(all.length))')],
  ['ends V8', inBody('return <p>{"x".repeat(5e8).split("").length}</p>')],
])('a template that %s is stopped, and the next one runs', async (_, source) => {
  expect(await draw(source)).toEqual(stopped)
  expect(await draw(inBody('return <p>x</p>'))).toEqual({ html: '<p>x</p>' })
})

it.each([
  ['null', inBody('throw null'), '{"message":"null","stack":"Error: null"}'],
  ['getters that throw', inBody('throw { get message() { throw 1 } }'), '{"message":"1","stack":"Error: 1"}'],
  ['what has no text', inBody('throw { message: Object.create(null) }'), 'the template throws what has no text'],
  ['no component', 'export const x = 1', 'the source exports no function EmailTemplate'],
  [
    'another package',
    `import x from './x'\n${inBody('return <p>{x}</p>')}`,
    'the local platform cannot play an import of ./x',
  ],
  ['memory outside of the heap', inBody('return <p>{new Uint8Array(1e9).length}</p>'), 'Uint8Array is not defined'],
])('a template with %s is refused in words', async (_, source, error) => {
  expect(await draw(source)).toEqual({ error: expect.stringContaining(error) })
})

it('a template finds nothing that another one has left', async () => {
  await draw(
    inBody(
      'globalThis.left = 1\nArray.prototype.map = () => ["left"]\nPromise.reject(new Error("left"))\nreturn <p />',
    ),
  )
  expect(await draw(inBody('return <p>{typeof left}{variables.tags.map(tag => tag)}</p>'))).toEqual({
    html: '<p>undefined<!-- -->a<!-- -->b</p>',
  })
})

it('two mails at once are both drawn', async () => {
  const [one, other] = ['one', 'other'].map(text => inBody(`return <p>${text}</p>`))
  expect(await Promise.all([draw(one!), draw(other!)])).toEqual([{ html: '<p>one</p>' }, { html: '<p>other</p>' }])
})

it('a mail that runs is refused when its platform ends, and later ones, too', async () => {
  const ending = mailRunner(project, { program })!
  const running = ending.run({ file: 'template', source: inBody('for (;;);'), imports: {}, props: {} })
  ending.end()
  const disposed = 'this local platform has been disposed'
  await expect(running).rejects.toThrow(disposed)
  await expect(ending.run({ file: 'template', source: inBody(''), imports: {}, props: {} })).rejects.toThrow(disposed)
})

it('a fork runs its mails after the end of the platform from which it was made', async () => {
  const own = mailRunner(project, { program })!
  const ofFork = own.share()
  own.end()
  own.end()
  expect(await drawTemplate(inBody('return <p>x</p>'), {}, undefined, ofFork.run)).toEqual({ html: '<p>x</p>' })
  ofFork.end()
})

// Promise: templates-run-apart
it('a process that has drawn a mail ends by itself', async () => {
  const mail = { file: 'template', source: inBody('return <p>x</p>'), imports: {}, props: {} }
  const script = join(folder, 'one-mail.mjs')
  writeFileSync(
    script,
    `import { mailRunner } from './run-mail.mjs'
    const { run } = mailRunner(${JSON.stringify(project)}, { program: new URL(${JSON.stringify(program.href)}) })
    console.log((await run(${JSON.stringify(mail)})).html)`,
  )
  expect(await promisify(execFile)(process.execPath, [script])).toEqual({ stdout: '<p>x</p>\n', stderr: '' })
})

it('is there only where the project has React Email, and the program is there', () => {
  expect(mailRunner(tmpdir(), { program })).toBeUndefined()
  expect(mailRunner(project, { program: pathToFileURL(join(folder, 'none.mjs')) })).toBeUndefined()
})

it('a program that cannot start is an error of the mail', async () => {
  const empty = join(folder, 'empty.mjs')
  writeFileSync(empty, 'throw new Error()')
  const failing = mailRunner(project, { program: pathToFileURL(empty) })!
  const source = inBody('return <p />')
  expect(await drawTemplate(source, {}, undefined, failing.run)).toEqual(stopped)
  failing.end()
})

it('a mail is refused when its platform ends while a fork goes on, and a later fork has a process of its own', async () => {
  const ending = mailRunner(project, { program, limitMillis: 500 })!
  const fork = ending.share()
  const mail = (source: string) => ({ file: 'template', source, imports: {}, props: {} }) as const
  const running = ending.run(mail(inBody('for (;;);')))
  ending.end()
  await expect(running).rejects.toThrow('this local platform has been disposed')
  const drawnBy = ({ run }: MailRunner) => drawTemplate(inBody('return <p>x</p>'), {}, undefined, run)
  expect(await drawnBy(fork)).toEqual({ html: '<p>x</p>' })
  fork.end()
  const late = ending.share()
  expect(await drawnBy(late)).toEqual({ html: '<p>x</p>' })
  late.end()
})
