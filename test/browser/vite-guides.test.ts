import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { openStage, password, type Stage } from '../frameworks/driver'
import { itInLong, runs } from '../runs'
import { runNode } from './example'
import { button, newEmail, press } from './person'

/*
 * The apps of the guides for Vite, Svelte and Vue in development mode, as `rxauth init` writes them: into an empty folder, and
 * beside the files of a new app.
 */

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
})

afterEach(() => stage.next())

afterAll(() => stage.close())

/** With what Vite's plugin for Vue does. */
const vueConfig = `import { transformWithOxc } from 'vite'
import { compileScript, parse } from 'vue/compiler-sfc'

function transform(code, id) {
  if (!id.endsWith('.vue')) return undefined
  const { content } = compileScript(parse(code).descriptor, { id, inlineTemplate: true })
  return transformWithOxc(content, id + '.ts')
}
const define = {
  __VUE_OPTIONS_API__: true,
  __VUE_PROD_DEVTOOLS__: false,
  __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: false,
}
export default { plugins: [{ name: 'vue', transform }], define }`

const manifest = (...names: string[]) => {
  const dependencies = Object.fromEntries([...names, 'vite', 'rxauth', 'rxjs'].map(name => [name, '*']))
  return `${JSON.stringify({ private: true, type: 'module', scripts: { dev: 'vite' }, dependencies }, null, 2)}\n`
}

/** The first page of a new app, which stays as it is. */
const first = (start: string) =>
  `<!doctype html><link rel="icon" href="data:,"><title>Mine</title><div id="app"></div><script type="module" src="${start}"></script>`

/** The files that the tool of each framework writes into a new app, as far as `rxauth init` meets them. */
const newApps = {
  vite: {
    'package.json': manifest('react', 'react-dom'),
    'index.html': first('/src/main.tsx'),
    'vite.config.ts': `import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// https://vite.dev/config/
export default defineConfig({
  plugins: [react()],
})
`,
    'src/main.tsx': "document.body.append('Mine')\n",
    'src/App.tsx': 'export default function App() {}\n',
  },
  svelte: {
    'package.json': manifest('svelte'),
    'index.html': first('/src/main.ts'),
    'vite.config.ts': `import { svelte } from '@sveltejs/vite-plugin-svelte'
export default { plugins: [svelte({ configFile: false })] }`,
    'src/main.ts': "document.body.append('Mine')\n",
    'src/App.svelte': '<p>Mine</p>\n',
  },
  vue: {
    'package.json': manifest('vue'),
    'index.html': first('/src/main.ts'),
    'vite.config.ts': vueConfig,
    'src/main.ts': "document.body.append('Mine')\n",
    'src/App.vue': '<template>Mine</template>\n',
  },
}

/** The files of a folder after the built `rxauth init` has run there as a process, with a package manager that does nothing. */
async function initialised(files: Readonly<Record<string, string>>, args: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'rxauth-init-'))
  try {
    const given = { ...files, 'bin/npm': '#!/bin/sh\n' }
    for (const [path, text] of Object.entries(given)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text, { mode: 0o755 })
    }
    const env = { PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`, npm_config_user_agent: '' }
    const program = join(__dirname, '../../dist/platform-bin.js')
    const running = runNode([program, 'init', '--yes', ...args], env, folder)
    const { code } = await running.ended
    if (code !== 0) throw new Error(running.output())
    await rm(join(folder, 'bin'), { recursive: true })
    const all = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(entry => entry.isFile())
    const paths = all.map(({ parentPath, name }) => join(parentPath, name))
    return Object.fromEntries(
      await Promise.all(
        paths.map(async path => [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const),
      ),
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}

type From = 'a new app' | 'an empty folder'

/** Signs in by the address of `rxauth dev`, at a page of the app. */
async function signInByLink({ page, platform, address }: Awaited<ReturnType<typeof open>>, base: string) {
  const handlerPath = `${base}handler`
  const to = `${address}${base}sign-in?from=mail`
  const link = await platform.signInLink('ada@example.com', { to })
  await page.goto(link.replace('/handler', handlerPath))
  await press(button(page, 'Continue'), page.getByText(/^Hello /))
  expect(page.url()).toBe(to)
}

const based = '/docs/'

/** What the guide for Vite says of a base path. */
function below(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const urls = `urls: { handler: '${based}handler', home: '${based}' }`
  const changed = ([path, text]: readonly [string, string]) =>
    [
      path,
      text
        .replace('plugins:', `base: '${based}', plugins:`)
        .replace('createClientApp({ tokens: cookieTokens() })', `createClientApp({ tokens: cookieTokens(), ${urls} })`)
        .replaceAll("'/handler/", `'${based}handler/`),
    ] as const
  return Object.fromEntries(Object.entries(files).map(changed))
}

/** Opens the page of an app that `rxauth init` has made in an empty folder, or has added to a new app. */
async function open(name: keyof typeof newApps, from: From, base: string) {
  const { 'package.json': before = '', ...own } = from === 'a new app' ? newApps[name] : {}
  const args = from === 'a new app' ? [] : ['--framework', name]
  const files = await initialised(from === 'a new app' ? newApps[name] : {}, args)
  // The framework's own files are as they were, but for one script.
  expect(files).toMatchObject(own)
  if (before !== '')
    expect(files['package.json']).toBe(
      before.replace('"dev": "vite"', '"dev": "vite",\n    "dev:auth": "rxauth dev -- npm run dev"'),
    )
  const folder = `${name} of ${from} at ${base}`.replaceAll(/\W+/g, '-')
  // As its author does who renders the page of the guide first.
  const shown = from === 'a new app' ? { ...files, 'index.html': files['sign-in.html']! } : files
  const app = await stage.page(folder, base === '/' ? shown : below(shown))
  const { page } = await app.person()
  await page.goto(app.address + base + (from === 'a new app' ? 'sign-in' : ''))
  await page.locator(`script[src^="${base}"]`).first().waitFor({ state: 'attached' })
  return { ...app, page }
}

describe('rxauth init makes an app that signs in, and prints no error or warning in development mode:', () => {
  // Promise: vite-apps, init-command
  it.each(
    runs<[From, string][]>(
      [['a new app', '/']],
      [
        ['a new app', '/'],
        ['an empty folder', '/'],
        ['an empty folder', based],
      ],
    ),
  )('Vite and React, from %s at %s', async (from, base) => {
    const opened = await open('vite', from, base)
    const { page, problems, address } = opened
    // The one page of an empty folder is at every address below its base, and stays there.
    const asked = from === 'an empty folder' ? `${address}${base}reports?from=mail` : page.url()
    await page.goto(asked)
    await page.getByPlaceholder('E-mail').fill('ada@example.com')
    await page.getByPlaceholder('Password').fill('wrong')
    await press(button(page, 'Sign in'), page.getByRole('alert').getByText('Wrong e-mail address or password.'))
    await page.getByPlaceholder('Password').fill(password)
    await press(button(page, 'Sign in'), page.getByText(/^Hello (Ada|Countess)$/))
    await page.reload()
    await press(button(page, 'Call me Countess'), page.getByText('Hello Countess'))
    expect(page.url()).toBe(asked)
    await press(button(page, 'Sign out'), button(page, 'Sign in'))
    expect(page.url()).toBe(asked)
    await signInByLink(opened, base)
    expect(problems()).toEqual([])
  })

  // Promise: vite-apps
  itInLong('Vite and React: the link of a mail leads to its page below a base path', async () => {
    const { page, platform } = await open('vite', 'an empty folder', based)
    const email = newEmail()
    await page.getByPlaceholder('E-mail').fill(email)
    await page.getByPlaceholder('Password').fill(password)
    await press(button(page, 'Create an account'), page.getByText(`Hello ${email}`))
    const { links } = await platform.mailbox(email).next()
    await page.goto(links[0]!)
    await press(button(page, 'Verify my address'), page.getByText('Thank you. Your address is verified.'))
  })

  const others: readonly (readonly [keyof typeof newApps, From, string])[] = [
    ['svelte', 'an empty folder', based],
    ['vue', 'a new app', based],
    ['svelte', 'a new app', '/'],
    ['svelte', 'an empty folder', '/'],
    ['vue', 'a new app', '/'],
  ]
  // Promise: vite-apps, init-command
  it.each(runs(others.slice(-2), others))('%s, from %s at %s', async (name, from, base) => {
    const opened = await open(name, from, base)
    const { page, problems } = opened
    await press(button(page, 'Sign in as Ada'), page.getByText(/^Hello /))
    await page.getByText(/^Signed in at \d+ places$/).waitFor()
    await page.reload()
    await press(button(page, 'Sign out'), button(page, 'Sign in as Ada'))
    await signInByLink(opened, base)
    expect(problems()).toEqual([])
  })
})
