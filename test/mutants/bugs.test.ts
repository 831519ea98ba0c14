import { readFileSync } from 'node:fs'
import { transformSync } from 'esbuild'
import { mutants } from '../model/mutants'
import { bugs, onlyInTheModel, otherBugs, patched } from './bugs'

const read = (file: string) => readFileSync(file, 'utf8')

describe('the bugs of the model', () => {
  it('are patches of the sources, or have the reason why not', () => {
    const named = [...bugs.map(({ bug }) => bug), ...Object.keys(onlyInTheModel)]
    expect(named.sort()).toEqual(mutants.map(({ bug }) => bug).sort())
  })

  it.each([...bugs, ...otherBugs])('$bug: applies, and a test file shows it', bug => {
    for (const [file, text] of patched(bug, read)) {
      expect(text).not.toBe(read(file))
      transformSync(text, { loader: 'ts' })
    }
    expect(read(bug.test)).not.toBe('')
  })

  it('do not apply to other texts, nor in two places', () => {
    const bug = { bug: 'a bug', changes: [['a.ts', 'a', 'b']], test: 'a.test.ts' } as const
    expect(patched(bug, () => 'cad')).toEqual(new Map([['a.ts', 'cbd']]))
    expect(() => patched(bug, () => 'bcd')).toThrow('a bug: a.ts has "a" 0 times, not once')
    expect(() => patched(bug, () => 'abab')).toThrow('a bug: a.ts has "a" 2 times, not once')
  })
})
