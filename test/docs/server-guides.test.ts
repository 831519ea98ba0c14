import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { guided } from '../frameworks/apps'
import { root } from './blocks'
import { blocksOf } from './pasted'

/** What the tools of the frameworks write into a new app. */
const ready = /^(package\.json|tsconfig\.json|next\.config\.ts|svelte\.config\.js|src\/app\.html)$/

// Promise: framework-apps
it.each(guided)('the guide for %s shows the files of the app that the browser tests drive, each as it is', name => {
  const app = join(root, 'test/frameworks', name)
  const files = readdirSync(app, { recursive: true, withFileTypes: true })
    .filter(file => file.isFile())
    .map(file => join(file.parentPath, file.name).slice(app.length + 1))
    .filter(path => !ready.test(path) && `${name}/${path}` !== 'sveltekit/vite.config.ts')
  const shown = blocksOf(`docs/guides/${name}.md`).flatMap(({ file, words, code }) =>
    file && !/ (instead|when):/.test(words) ? [[file, code] as const] : [],
  )
  expect(Object.fromEntries(shown)).toEqual(
    Object.fromEntries(files.map(path => [path, readFileSync(join(app, path), 'utf8')])),
  )
  expect(shown).toHaveLength(files.length)
})
