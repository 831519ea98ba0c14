const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', 0: '\0' }

/** What a JavaScript string between its quotes means: `\n`, `\x41`, `\u00e9` and `\u{1f600}` are characters. */
export function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{((?:10|[\da-fA-F])?[\da-fA-F]{1,4})\}|([^]))/g,
    (_, ...[byte, unit, point, other = '']: (string | undefined)[]) => {
      const hex = byte ?? unit ?? point
      return hex === undefined ? (controls[other] ?? other) : String.fromCodePoint(Number.parseInt(hex, 16))
    },
  )
}
