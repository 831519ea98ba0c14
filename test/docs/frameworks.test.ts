import * as client from 'rxauth'
import { createPlatform } from 'rxauth/platform'
import type { Component } from 'svelte'
import { compile } from 'svelte/compiler'
import { render as renderSvelte } from 'svelte/server'
import { createSSRApp } from 'vue'
import { compileScript, parse } from 'vue/compiler-sfc'
import { renderToString } from 'vue/server-renderer'
import { readExamples, run } from './blocks'
import { blockOf } from './pasted'
import { compilePrograms } from './programs'

/** The exports of the compiled component; the files of its guide are run for it, with the given app. */
async function evaluate(page: string, code: string, app: client.ClientApp): Promise<{ readonly default: unknown }> {
  const files = new Map<string, object>([['auth', { app }]])
  for (const example of readExamples(page)) {
    const name = /\/([\w-]+)\.ts$/.exec(example.file ?? '')?.[1]
    if (name === undefined || name === 'auth') continue
    const exported = {}
    files.set(name, exported)
    await run(example, load, exported)
  }
  function load(name: string): unknown {
    return name.startsWith('./') ? files.get(name.slice(2)) : name === 'rxauth' ? client : jest.requireActual(name)
  }
  const exported = {}
  await run({ code, extension: 'ts' }, load, exported)
  return exported as { readonly default: unknown }
}

const frameworks: Readonly<Record<string, (page: string, app: client.ClientApp) => Promise<string>>> = {
  async 'docs/guides/svelte.md'(page, app) {
    const { js, warnings } = compile(blockOf(page, { file: 'src/Account.svelte' }).code, {
      generate: 'server',
      filename: 'Account.svelte',
    })
    expect(warnings).toEqual([])
    const { default: Account } = await evaluate(page, js.code, app)
    return renderSvelte(Account as Component, { props: {} }).body
  },

  async 'docs/guides/vue.md'(page, app) {
    const { descriptor, errors } = parse(blockOf(page, { file: 'src/Account.vue' }).code, { filename: 'Account.vue' })
    expect(errors).toEqual([])
    const { content } = compileScript(descriptor, { id: 'account', inlineTemplate: true })
    const { default: Account } = await evaluate(page, content, app)
    return renderToString(createSSRApp(Account as never))
  },
}

/** The visible text. */
function textOf(html: string): string {
  return html
    .replace(/<!--[^]*?-->/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

describe.each(Object.entries(frameworks))('the component in %s', (page, render) => {
  const platform = createPlatform({
    seed: { users: [{ email: 'ada@example.com', password: 'correct horse battery', displayName: 'Ada' }] },
  })
  const newApp = (tokens: client.ClientOptions['tokens']) => client.createClientApp({ ...platform.options, tokens })

  it('shows a placeholder while the user is unknown', async () => {
    const app = newApp(await platform.tokensFor('ada@example.com'))
    expect(textOf(await render(page, app))).toBe('One moment …')
  })

  it('shows a button to sign in while signed out', async () => {
    const app = newApp(client.memoryTokens())
    expect(textOf(await render(page, app))).toBe('Sign in as Ada')
  })

  it('shows the user and the sessions', async () => {
    const app = newApp(client.memoryTokens())
    const watch = app.auth$.subscribe()
    client.orThrow(await app.signInWithPassword({ email: 'ada@example.com', password: 'correct horse battery' }))
    await app.user$.get()
    const held = app.sessions$.subscribe({ error: fail })
    const { length } = await app.sessions$.get()
    expect(textOf(await render(page, app))).toBe(`Hello Ada Signed in at ${length} places Sign out`)
    held.unsubscribe()
    watch.unsubscribe()
  })
})

function fail(error: unknown): void {
  throw error
}

it('the components in docs/guides/solid.md compile', () => {
  const page = 'docs/guides/solid.md'
  const paths = ['src/auth.ts', 'src/account.tsx', 'src/magic-link.tsx', 'src/page.tsx', 'src/start.tsx']
  const texts = paths.map(file => [file, `/** @jsxImportSource solid-js */\n${blockOf(page, { file }).code}`])
  const [{ errors }] = compilePrograms({ texts: Object.fromEntries(texts) })
  expect(errors).toEqual(Object.fromEntries(paths.map(path => [path, ''])))
})
