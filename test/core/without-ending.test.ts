import { withoutEnding } from '../../src/core/urls'

it.each([
  ['https://a.test//', 'https://a.test'],
  ['/a//b/', '/a//b'],
  ['///', ''],
  ['a', 'a'],
  ['', ''],
])('%j without the slashes at its end is %j', (text, expected) => {
  expect(withoutEnding(text, '/')).toBe(expected)
})
