import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import limits from '../package/size-limits.json'
import { root } from './blocks'

it('the sizes in docs/sizes.md are the limits that the size test holds', () => {
  const [, table] =
    /<!-- sizes: \S+ -->(.*)<!-- \/sizes -->/s.exec(readFileSync(join(root, 'docs/sizes.md'), 'utf8')) ?? []
  const rows = [...(table ?? '').matchAll(/^\| ([^|:]+): [^|]*\| +(\d+) +\|/gm)]
  expect(Object.fromEntries(rows.map(([, name, size]) => [name, Number(size)]))).toEqual(limits)
})

it('the README gives the size of its first block, and of a password-only page, in whole KB', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, app, functions] = /above loads (\d+) KB gzipped.*`createKit`.* loads (\d+) KB,/s.exec(readme) ?? []
  const [block = ''] = /^```tsx[^]*?^```$/m.exec(readme) ?? []
  const imported = [...block.matchAll(/^import \{ (.*) \}/gm)].flatMap(([, names = '']) => names.split(', '))
  expect(new Set(imported)).toEqual(
    new Set(['createClientApp', 'cookieTokens', 'AuthProvider', 'useAction', 'useAuth']),
  )
  expect(Number(app)).toBe(Math.round(limits['createClientApp with React'] / 1024))
  expect(Number(functions)).toBe(Math.round(limits['password only'] / 1024))
})

it('the comparison gives the least and the most of these sizes, and the page about other packages the least', () => {
  const all = Object.values(limits)
  const [least, most] = [Math.min(...all), Math.max(...all)]
  // In the unit of the other packages there.
  const range = `${Math.round(least / 1000)} to ${Math.round(most / 1000)} ([sizes](sizes.md))`
  expect(readFileSync(join(root, 'docs/comparison.md'), 'utf8')).toContain(range)
  const whenNot = readFileSync(join(root, 'docs/when-not.md'), 'utf8')
  expect(whenNot).toContain(`costs [${Math.round(least / 1024)} KB](sizes.md)`)
})
