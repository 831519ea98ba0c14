import fc from 'fast-check'
import { unclosedIn } from '../../src/platform/unclosed-html'

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
])('the HTML that does not end %s is found: %s', (what, html) => {
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
])('the HTML ends all that it begins: %s', html => {
  expect(unclosedIn(html)).toBeNull()
})

it('100,000 characters take no longer than they are long, whatever they are', () => {
  const parts = fc.constantFrom('<', '<a ', '"', "'", '>', '<!--', '-->', '<style>', '</style', 'x', ' ', '/')
  fc.assert(
    fc.property(fc.array(parts, { minLength: 1, maxLength: 5 }), pattern => {
      const html = pattern.join('').repeat(100_000 / pattern.join('').length)
      expect([null, 'a comment', 'a tag', '<style>']).toContain(unclosedIn(html))
    }),
    { seed: 7, numRuns: 200 },
  )
})
