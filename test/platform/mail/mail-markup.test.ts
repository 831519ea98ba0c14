import { drawMarkup } from '../../../src/platform/mail/tsx-template'
import { readsOf } from '../counted-text'

// Promise: mail-html-refused
it.each([
  ['<p>one<br>two</p>', '<br> is not closed before </p>; write <br />'],
  ['<img src="https://example.com/a.png">', '<img> is not closed; write <img />'],
  ['<p>one<p>two', '<p> is not closed'],
  ['<ul><li>one</ul>', '<li> is not closed before </ul>'],
  ['<p style="color: red">red</p>', 'style of <p> is no object'],
  ['<p>{x}</p>', 'x is not defined'],
  ['<p>{{ name }}</p>', 'name is not defined'],
  ['<p>a } b</p>', 'Unexpected token `}`'],
  ['<p>one</p><!-- two -->', 'Unexpected token'],
  ['<!doctype html><html><body>Hi</body></html>', 'Unexpected token'],
  ['<html><body>Hi</body></html>', 'no whole document'],
  ['<b><i>x</b></i>', '<i> is not closed before </b>'],
  ['<P>upper case</P>', 'P is not defined'],
  ['1 < 2', 'Unexpected token'],
  ['2 > 1', 'Unexpected token `>`'],
  ['</p>', '</p> closes nothing'],
  ['<style>p { color: red }</style>', 'Unexpected token'],
  ['<a href=https://example.com>x</a>', 'JSX value'],
  ['<a href="https://example.com', 'Unterminated'],
  ['<p', 'Unexpected token'],
  ['<p style={color}>x</p>', 'color is not defined'],
  ['<p>{/* x </p>', 'Unterminated comment'],
  [String.raw`<p>{"a\"}</p>`, 'Unterminated string'],
  ['a</><b>x</b><>b', 'Adjacent JSX elements'],
  ['a</> + <>b', '</> closes nothing'],
])('refuses, as the hosted platform does: %s', async (html, why) => {
  expect(await drawMarkup(html)).toEqual({ error: expect.stringContaining(why) })
})

// Promise: mail-html-refused
it.each([
  ['', ''],
  ['Hi &amp; bye &nbsp;&#33; a & b "quoted"', 'Hi &amp; bye \u00a0! a &amp; b &quot;quoted&quot;'],
  ['<p>one<br />two<br/></p>', '<p>one<br>two<br></p>'],
  [
    '<img src="https://example.com/?a=1&amp;b=2" alt=\'"\' />',
    '<img src="https://example.com/?a=1&amp;b=2" alt="&quot;">',
  ],
  ['<p class="x" data-y="{z}" hidden>a</p>', '<p class="x" data-y="{z}" hidden="">a</p>'],
  ['<p className="x">a</p>', '<p class="x">a</p>'],
  [
    "<p style={{ color: 'red', fontSize: 14, 'lineHeight': 1.5, margin: 0, }}>a</p>",
    '<p style="color:red;font-size:14px;line-height:1.5;margin:0">a</p>',
  ],
  ['<><p>a</p> <p>b</p></>', '<p>a</p> <p>b</p>'],
  ["<b>a</b>{' '}<i>b{/* not shown */}</i>", '<b>a</b> <i>b</i>'],
  ['<td width={600}>{"<"}</td>', '<td width="600">&lt;</td>'],
  [
    String.raw`<p>{"\"a\" \\ \u00e9\x41\u{1f600}\u{10ffff}\tb"} {'it\'s'}</p>`,
    '<p>&quot;a&quot; \\ éA😀\u{10ffff}\tb it&#x27;s</p>',
  ],
  [String.raw`<p style={{ content: "\"" }}></p>`, '<p style="content:&quot;"></p>'],
  ['<div />', '<div></div>'],
  ['<p>\n  one\n  two\n</p>\n', '<p>one two</p>'],
])('renders %s', async (source, html) => {
  expect(await drawMarkup(source)).toEqual({ html })
})

// Promise: mail-html-refused
it.each(['<p>', '<p', 'a', '<a b="" ', '{""}', '<p>a</p>', "<p style={{a:'b',c:'d'}} />", '<', '&amp;', '{{', '\n '])(
  'reads each character of 10,000 times %j only a few times',
  async part => {
    await drawMarkup('')
    const html = part.repeat(10_000)
    expect(await readsOf(() => drawMarkup(html))).toBeLessThan(100 * html.length)
  },
)
