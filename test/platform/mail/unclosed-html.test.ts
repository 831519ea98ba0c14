import fc from 'fast-check'
import { unclosedIn } from '../../../src/platform/mail/unclosed-html'
import { countedText } from '../counted-text'

it.each([
  ['a comment', '<p>Hi</p><!-- more'],
  ['a comment', '<!-->'],
  ['a tag', '<p>Hi</p><a href="https://example.com'],
  ['a tag', '<a href="x>Hi</a>'],
  ['a tag', '<p'],
  ['a tag', '</p'],
  ['<style>', '<style>p { color: red }'],
  ['<title>', '<TITLE>Hi</titles>'],
  ['<script>', '<script>"</style>"'],
  ['<style>', '<style></styles></style'],
])('finds the unclosed %s: %s', (what, html) => {
  expect(unclosedIn(html)).toBe(what)
})

it.each([
  '',
  'Hi',
  '1 < 2, 2<3 and a <- b',
  '<p>Hi<br>there',
  '<a href="a>b" title=\'<"\'>Hi</a>',
  '<!-- <p --><p>Hi</p>',
  '<style>a > b { content: "<" }</style >',
  '<script>if (1 < 2) "<p"</SCRIPT>',
  '<!doctype html><html></html>',
  '<a"b></a"b>',
  '<style></styles></STYLE\n>',
])('finds nothing unclosed: %s', html => {
  expect(unclosedIn(html)).toBeNull()
})

// Promise: text-in-linear-time
it('each character is read only a few times, for any HTML', () => {
  const parts = fc.constantFrom('<', '<a ', '"', "'", '>', '<!--', '-->', '<style>', '</style', '</', 'x', ' ', '/')
  fc.assert(
    fc.property(fc.array(parts, { minLength: 1, maxLength: 5 }), fc.array(parts, { maxLength: 3 }), (pattern, end) => {
      const html = pattern.join('').repeat(10_000 / pattern.join('').length) + end.join('')
      const counted = countedText(html)
      expect([null, 'a comment', 'a tag', '<style>']).toContain(unclosedIn(counted.text))
      expect(counted.steps()).toBeLessThan(8 * html.length)
    }),
    { seed: 7, numRuns: 300 },
  )
})

it.each(['<' + 'a'.repeat(600_000), '<a' + '"'.repeat(600_001), '<a '.repeat(200_000), '<style></'.repeat(60_000)])(
  'nor of 600,000 that look like a tag: %.12s',
  html => {
    const counted = countedText(html)
    expect(unclosedIn(counted.text)).not.toBeNull()
    expect(counted.steps()).toBeLessThan(8 * html.length)
  },
)
