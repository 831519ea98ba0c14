import fc from 'fast-check'
import { drawMarkup } from '../../../src/platform/mail/mail-markup'
import { countedText } from '../counted-text'

// Promise: mail-html-refused
it.each([
  ['<p>one<br>two</p>', '<br> is not closed; write <br />'],
  ['<img src="https://example.com/a.png">', '<img> is not closed'],
  ['<p>one<p>two', '<p> is not closed'],
  ['<ul><li>one</ul>', '</ul> closes <li>'],
  ['<p style="color: red">red</p>', 'style of <p> is a text'],
  ['<p>{x}</p>', '"{" begins JavaScript'],
  ['<p>{{ name }}</p>', '"{" begins JavaScript'],
  ['<p>a } b</p>', '"}" in text'],
  ['<p>one</p><!-- two -->', 'no comment'],
  ['<!doctype html><html><body>Hi</body></html>', 'no doctype'],
  ['<html><body>Hi</body></html>', 'no whole document'],
  ['<b><i>x</b></i>', '</b> closes <i>'],
  ['<P>upper case</P>', 'lower case'],
  ['1 < 2', '"<" in text'],
  ['2 > 1', '">" in text'],
  ['</p>', '</p> closes nothing'],
  ['<style>p { color: red }</style>', '"{" begins JavaScript'],
  ['<a href=https://example.com>x</a>', 'has no quotes'],
  ['<a href="https://example.com', 'nothing ends'],
  ['<p', 'no attribute'],
  ['<p style={color}>x</p>', 'style is no object'],
  ['<p>{/* x </p>', 'nothing ends'],
  [String.raw`<p>{"a\"}</p>`, 'nothing ends'],
])('refuses, as the hosted platform does: %s', (html, why) => {
  expect(drawMarkup(html)).toEqual({ error: expect.stringContaining(why) })
})

// Promise: mail-html-refused
it.each([
  ['', ''],
  ['Hi &amp; bye &nbsp;&#33; a & b "quoted"', 'Hi &amp; bye &nbsp;&#33; a & b "quoted"'],
  ['<p>one<br />two<br/></p>', '<p>one<br>two<br></p>'],
  [
    '<img src="https://example.com/?a=1&amp;b=2" alt=\'"\' />',
    '<img src="https://example.com/?a=1&amp;b=2" alt=\'"\'>',
  ],
  ['<p class="x" data-y="{z}" hidden>a</p>', '<p class="x" data-y="{z}" hidden>a</p>'],
  ['<p className="x">a</p>', '<p class="x">a</p>'],
  [
    "<p style={{ color: 'red', fontSize: 14, 'lineHeight': 1.5, margin: 0, }}>a</p>",
    '<p style="color:red;font-size:14px;line-height:1.5;margin:0">a</p>',
  ],
  ['<><p>a</p> <p>b</p></>', '<p>a</p> <p>b</p>'],
  ["<b>a</b>{' '}<i>b{/* not shown */}</i>", '<b>a</b> <i>b</i>'],
  ['<td width={600}>{"<"}</td>', '<td width="600">&#60;</td>'],
  [
    String.raw`<p>{"\"a\" \\ \u00e9\x41\u{1f600}\u{10ffff}\tb"} {'it\'s'}</p>`,
    '<p>&#34;a&#34; \\ éA😀\u{10ffff}\tb it&#39;s</p>',
  ],
  [String.raw`<p style={{ content: "\"" }}></p>`, '<p style="content:&#34;"></p>'],
  ['<div />', '<div></div>'],
  ['<p>\n  one\n  two\n</p>\n', '<p>one two</p>'],
])('renders %s', (source, html) => {
  expect(drawMarkup(source)).toEqual({ html })
})

// Promise: mail-html-refused
it('each character is read only a few times, for any HTML', () => {
  const parts = fc.constantFrom(
    '<',
    '<a ',
    '<p>',
    '</p>',
    '"',
    "'",
    '>',
    '/>',
    '{',
    '}',
    '{{',
    '/*',
    'x',
    ' ',
    '=',
    '\n',
  )
  fc.assert(
    fc.property(fc.array(parts, { minLength: 1, maxLength: 6 }), fc.array(parts, { maxLength: 3 }), (pattern, end) => {
      const html = pattern.join('').repeat(5000 / pattern.join('').length) + end.join('')
      const counted = countedText(html)
      drawMarkup(counted.text)
      expect(counted.steps()).toBeLessThan(20 * html.length + 100)
    }),
    { seed: 7, numRuns: 200 },
  )
})

it.each(['<p>', '<p', 'a', '<a b="" ', '{""}', '<p>a</p>', "<p style={{a:'b',c:'d'}} />", '<'])(
  'nor of 100,000 times %s',
  part => {
    const counted = countedText(part.repeat(100_000))
    drawMarkup(counted.text)
    expect(counted.steps()).toBeLessThan(20 * part.length * 100_000)
  },
)
