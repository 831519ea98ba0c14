import { blocksOf } from '../docs/pasted'
import { openStage, password } from '../frameworks/driver'
import type { Stage } from '../frameworks/driver'
import { button } from './person'

/*
 * The apps of the guides for Vite, Svelte and Vue in development mode: the files that a guide shows, as they stand, and those
 * that the tool of the framework writes into a new app.
 */

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
})

afterEach(() => stage.next())

afterAll(() => stage.close())

const html = '<!doctype html><title>App</title><div id="root"></div><script type="module" src="/src/main.ts"></script>'

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

/** The files that are in no guide. */
const newApps = {
  vite: {},
  svelte: {
    'index.html': html,
    'vite.config.mjs': `import { svelte } from '@sveltejs/vite-plugin-svelte'
export default { plugins: [svelte({ configFile: false })] }`,
    'src/main.ts': `import { mount } from 'svelte'
import Account from './Account.svelte'
mount(Account, { target: document.body })`,
  },
  vue: {
    'index.html': html,
    'vite.config.mjs': vueConfig,
    'src/main.ts': `import { createApp } from 'vue'
import Account from './Account.vue'
createApp(Account).mount('#root')`,
  },
}

async function open(name: keyof typeof newApps) {
  const shown = blocksOf(`docs/guides/${name}.md`).flatMap(({ file, code }) => (file ? [[file, code] as const] : []))
  const files = { 'package.json': '{ "type": "module" }', ...newApps[name], ...Object.fromEntries(shown) }
  const { address, person, problems } = await stage.page(name, files)
  const { page } = await person()
  await page.goto(address)
  return { page, problems }
}

describe('prints no error or warning in development mode, in the browser or on the server', () => {
  it('the app of the guide for Vite and React', async () => {
    const { page, problems } = await open('vite')
    await page.getByPlaceholder('E-mail').fill('ada@example.com')
    await page.getByPlaceholder('Password').fill('wrong')
    await button(page, 'Sign in').click()
    await page.getByRole('alert').getByText('Wrong e-mail address or password.').waitFor()
    await page.getByPlaceholder('Password').fill(password)
    await button(page, 'Sign in').click()
    await page.getByText('Hello Ada').waitFor()
    await page.reload()
    await button(page, 'Call me Countess').click()
    await page.getByText('Hello Countess').waitFor()
    await button(page, 'Sign out').click()
    await button(page, 'Sign in').waitFor()
    expect(problems()).toEqual([])
  })

  it.each(['svelte', 'vue'] as const)('the app of the guide for %s', async name => {
    const { page, problems } = await open(name)
    await button(page, 'Sign in as Ada').click()
    await page.getByText(/^Hello /).waitFor()
    await page.getByText(/^Signed in at \d+ places$/).waitFor()
    await page.reload()
    await button(page, 'Sign out').click()
    await button(page, 'Sign in as Ada').waitFor()
    expect(problems()).toEqual([])
  })
})
