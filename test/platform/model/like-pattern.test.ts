import { containingLike } from '../../../src/platform/directory/users'
import { virtualClock } from 'rxauth/platform'

/** The same pattern as a regular expression, which is slow and so for short texts only. */
function expressionOf(pattern: string): RegExp {
  const parts = Array.from(pattern, character => {
    if (character === '%') return '.*'
    return character === '_' ? '.' : character.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  })
  return new RegExp(parts.join(''), 'su')
}

it('matches the same texts as a regular expression', () => {
  const { random } = virtualClock(undefined, { seed: 7 })
  const word = (letters: readonly string[], length: number) =>
    Array.from({ length: Math.floor(random() * length) }, () => letters[Math.floor(random() * letters.length)]).join('')
  const met = { true: 0, false: 0 }
  for (let step = 0; step < 2000; step++) {
    const text = word(['a', 'b', '👩', '.', '%', '_', '\n'], 10)
    const pattern = word(['a', 'b', '👩', '.', '%', '_'], 6)
    const expected = expressionOf(pattern).test(text)
    expect([text, pattern, containingLike(pattern)(text)]).toEqual([text, pattern, expected])
    met[`${expected}`]++
  }
  expect(Math.min(met.true, met.false)).toBeGreaterThan(200)
})
