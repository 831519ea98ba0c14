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

it('the README gives the size of a password-only page, in whole KB', () => {
  const [, size] = /pays (\d+) KB gzipped/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
  expect(Number(size)).toBe(Math.round(limits['password only'] / 1024))
})
