import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readExamples, root } from './blocks'

const app = join(root, 'test/next')

it('the Next.js guide shows the files of the app that test/browser/next.test.ts builds, each as it is', () => {
  const paths = readdirSync(join(app, 'app'), { recursive: true, encoding: 'utf8' }).filter(path => path.includes('.'))
  const files = paths.map(path => [join('app', path), readFileSync(join(app, 'app', path), 'utf8')])
  const shown = readExamples('docs/guides/next.md').map(({ file, code }) => [file, code])
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(files))
  expect(shown).toHaveLength(files.length)
})
