import { readHtml } from '../../../src/platform/mail/html-text'
import { countedText } from '../counted-text'

it.each([
  ['<p>Hi <b>Ada</b>,</p><p>bye</p>', 'Hi Ada,\nbye\n'],
  ['one<br>two<br/>three<BR />four', 'one\ntwo\nthree\nfour\n'],
  ['<ul><li>one</li><li>two</li></ul><h2>three</h2>four', 'one\ntwo\nthree\nfour\n'],
  ['<head><title>No</title></head><style>p > b { }</style><script>"</p>"</script >Yes', 'Yes\n'],
  ['<style>never ends', 'never ends\n'],
  ['1 < 2 &lt; 3 &#62; &#x32; &amp;amp; &nope; &#99999999;', '1 < 2 < 3 > 2 &amp; &nope; &#99999999;\n'],
  ['<!-- a comment -->a<!doctype html>', 'a\n'],
  ['a\n\n  \n\nb', 'a\nb\n'],
  ['<a href="https://a.test/?x=1&amp;y=2">here</a>', 'here (https://a.test/?x=1&y=2)\n'],
  ['<A class="c"\nHREF="u">in <b>bold</b></A >', 'in bold (u)\n'],
  ['<a href="a>b" title="t">x</a>', 'x (a>b)\n'],
  ['<a href="u">one <a href="v">two</a> three</a>', 'one two (u) three\n'],
  ['<a name="n">x</a> <abbr href="u">y</abbr>', 'x y\n'],
  ['<a href="u">never ends', 'never ends\n'],
  ['<a href="u>x</a>', 'x\n'],
  ['<p', '<p\n'],
])('%j reads as %j', (html, text) => {
  expect(readHtml(html).text).toBe(text)
})

const hostile = [
  '<',
  '<a ',
  '<a href="',
  '<a href="u">',
  '<a href="u"><a>',
  '<head>',
  '<style></style',
  '<script><style>',
  '<head></',
  '<br',
  '</p ',
  '&#1',
  '\n ',
]

// Promise: text-in-linear-time
it.each(hostile)('a text of %j alone is read a few times, at any length', pattern => {
  const steps = [1_000, 10_000, 100_000].map(length => {
    const counted = countedText(pattern.repeat(Math.ceil(length / pattern.length)))
    readHtml(counted.text)
    return counted.steps() / length
  })
  expect(steps.filter(each => each > 12)).toEqual([])
})
