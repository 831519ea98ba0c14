import fc from 'fast-check'
import { isReformatted, unifiedDiff } from '../../../src/cli/add/copied'

const diff = (from: string, to: string) => unifiedDiff({ name: 'mine', text: from }, { name: 'ours', text: to })
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`)

describe('the difference of two texts', () => {
  it('is written as diff -u writes it, with three lines around each change', () => {
    const from = numbered(20)
    const to = [...from]
    to.splice(1, 1, 'changed')
    to.splice(15, 0, 'added')
    expect(diff(`${from.join('\n')}\n`, `${to.join('\n')}\n`)).toBe(`--- mine
+++ ours
@@ -1,5 +1,5 @@
 line 1
-line 2
+changed
 line 3
 line 4
 line 5
@@ -13,6 +13,7 @@
 line 13
 line 14
 line 15
+added
 line 16
 line 17
 line 18`)
  })

  it('is one group where the lines around two changes touch', () => {
    const from = numbered(9)
    const to = from.map((line, index) => (index === 0 || index === 7 ? 'changed' : line))
    expect(diff(from.join('\n'), to.join('\n'))!.match(/^@@.*/gm)).toEqual(['@@ -1,9 +1,9 @@'])
  })

  it('is null where only blanks, quotes, semicolons and empty lines differ', () => {
    expect(diff("const a = 'b'\n", '  const a = "b";\n\n')).toBeNull()
    expect(diff("const a = 'b'\n", "const a = 'c'\n")).not.toBeNull()
  })

  // Promise: add-command
  it('makes one text of the other one', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(lines, lines, (from, to) => {
        const text = diff(from.join('\n'), to.join('\n'))
        if (text === null) return from.join() === to.join()
        const result: string[] = [...from]
        let moved = 0
        for (const hunk of text.split(/^@@ /m).slice(1)) {
          const [, start, count] = /^-(\d+),(\d+)/.exec(hunk)!
          const body = hunk.split('\n').slice(1)
          const kept = body.filter(line => line !== '' && !line.startsWith('-')).map(line => line.slice(1))
          result.splice(Number(start) - 1 + moved, Number(count), ...kept)
          moved += kept.length - Number(count)
        }
        return result.join() === to.join()
      }),
    )
  })
})

describe('a text is formatted anew', () => {
  const text = `import { a } from './a'

export function Page({ title }: { readonly title: string }) {
  return <p className="x">{title} and {a(each => each.name, 1)}</p>
}
`
  it.each([
    [
      'with other quotes, semicolons and indentation',
      text.replaceAll("'", '"').replace('./a"', './a";').replaceAll('  ', '\t'),
    ],
    [
      'in shorter lines',
      `import { a } from "./a";

export function Page({ title }: { readonly title: string }) {
  return (
    <p className="x">
      {title} and{" "}
      {a(
        (each) => each.name,
        1,
      )}
    </p>
  );
}
`,
    ],
  ])('%s', (_, other) => expect(isReformatted(text, other)).toBe(true))

  it('with a comma after the last argument, before another statement', () => {
    expect(isReformatted('one(a, b)\ntwo()\n', 'one(\n  a,\n  b,\n);\ntwo();\n')).toBe(true)
  })

  it('unless a word differs', () => expect(isReformatted(text, text.replace('and', 'or'))).toBe(false))
})
