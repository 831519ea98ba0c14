import { wellFormed } from '../../src/core/values'

it('replaces lone halves of characters alone', () => {
  expect(wellFormed('a\uD800b\uDC00\uDC00c\u{1F600}é')).toBe('a\uFFFDb\uFFFD\uFFFDc\u{1F600}é')
  expect(encodeURIComponent(wellFormed('\uDE00\uD83D'))).toBe('%EF%BF%BD%EF%BF%BD')
})
