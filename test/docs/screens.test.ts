import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { add, files, put, useNewApps, vite } from '../cli/add/app'
import { readExamples, root } from './blocks'
import { compilePrograms } from './programs'

const page = 'docs/screens.md'

useNewApps()

it(`the blocks of ${page} compile in a new app with the screens of its table`, async () => {
  vite()
  put('src/App.tsx', 'export default () => null')
  const names = [...readFileSync(join(root, page), 'utf8').matchAll(/^\| `([\w-]+)` /gm)].map(([, name = '']) => name)
  expect(await add([...names, '--yes'])).toMatchObject({ code: 0 })
  const blocks = readExamples(page).map(({ name, code }, index) => ({ name, path: `src/block-${index}.tsx`, code }))
  expect(blocks.length).toBeGreaterThan(1)
  const texts = [
    ...Object.entries(files()).filter(([path]) => /\.tsx?$/.test(path)),
    ...blocks.map(({ path, code }) => [path, code] as const),
  ]
  const [{ errors }] = compilePrograms({ texts: Object.fromEntries(texts) })
  expect(blocks.map(({ name, path }) => ({ name, errors: errors[path] }))).toEqual(
    blocks.map(({ name }) => ({ name, errors: '' })),
  )
})
