import { unescaped } from '../../../src/platform/mail/markup-scanner'

describe('a string of JavaScript', () => {
  it.each([
    ['plain', 'plain'],
    [String.raw`\n\t\r\b\f\v\0`, '\n\t\r\b\f\v\0'],
    [String.raw`it\'s \"it\" \\ \/`, `it's "it" \\ /`],
    [String.raw`\x41\u0042\u{43}`, 'ABC'],
    [String.raw`\u{1F44B}\u{10FFFF}`, '\u{1F44B}\u{10FFFF}'],
    ['a\\\nb', 'a\nb'],
    [String.raw`\q`, 'q'],
    // Not an escape of its own: the letters stay.
    [String.raw`\u{110000}`, 'u{110000}'],
    [String.raw`\xZZ`, 'xZZ'],
  ])('%j is the text %j', (written, text) => {
    expect(unescaped(written)).toBe(text)
  })
})
