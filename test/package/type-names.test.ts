import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../docs/blocks'

/** Names that several files may declare, each for a reason; the list only becomes shorter. */
const repeated: Readonly<Record<string, string>> = {
  Page: 'a page of an app, and a type in a file that `rxauth add` writes',
  Props: 'the props of the component that its file exports, as screens of React name them',
  Values: 'the values of the form that its file shows',
}

const declaration = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+\$?)/gm

describe('the names of types in src and react', () => {
  const files = execFileSync('git', ['ls-files', 'src', 'react'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(file => /\.tsx?$/.test(file))
  const places = new Map<string, string[]>()
  for (const file of files)
    for (const [, name = ''] of readFileSync(join(root, file), 'utf8').matchAll(declaration))
      places.set(name, [...(places.get(name) ?? []), file])
  const several = [...places].filter(([, all]) => all.length > 1)

  it('lead to one declaration', () => {
    expect(places.size).toBeGreaterThan(1000)
    expect(several.filter(([name]) => !(name in repeated)).map(([name, all]) => `${name}: ${all.join(', ')}`)).toEqual(
      [],
    )
  })

  it('that have several are those of the list', () => {
    const names = several.map(([name]) => name)
    expect(Object.keys(repeated).filter(name => !names.includes(name))).toEqual([])
  })
})
