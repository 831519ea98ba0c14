import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './blocks'

const page = readFileSync(join(root, 'docs/contributing/architecture.md'), 'utf8')

it('each file and folder that the page on the architecture names exists', () => {
  const named = [...page.matchAll(/`((?:src|test)\/[\w/.-]+)`/g)].flatMap(([, path]) => path ?? [])
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(path => !existsSync(join(root, path)))).toEqual([])
})

it('the table of the local platform has each of its rooms once', () => {
  const rooms = readdirSync(join(root, 'src/platform'), { withFileTypes: true }).filter(entry => entry.isDirectory())
  const rows = [...page.slice(page.indexOf('The local platform (`src/platform`)')).matchAll(/^\| `([\w-]+)`/gm)].map(
    ([, room]) => room,
  )
  expect([...rows].sort()).toEqual(rooms.map(({ name }) => name).sort())
})
