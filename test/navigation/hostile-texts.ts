const hosts = [
  'evil.example',
  'app.example.com',
  'app.example.com.evil.example',
  'x.b.example',
  'b.example',
  '[::1]',
  '127.1',
  'аpp.example.com',
]
/** The characters at which URLs are split, and their substitutes. */
export const hostilePieces = [
  '/',
  '//',
  '\\',
  '\\\\',
  ':',
  '@',
  '?',
  '#',
  '.',
  '..',
  '%2f',
  '%5c',
  '%00',
  '\t',
  '\n',
  '\r',
  '\0',
  ' ',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '。',
  '/',
  '＼',
  'http:',
  'https:',
  'HTTPS:',
  'javascript:',
  'data:',
  'blob:',
  'file:',
  'user',
  ':443',
  ':80',
  ':3000',
  '*',
  'a',
  ...hosts,
]

/** Evenly mixed, the same on each run. */
export function* hostileTexts(count: number): Generator<string> {
  let state = 7
  const draw = (limit: number) => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) % limit
  for (let index = 0; index < count; index++) {
    let text = ''
    for (let left = 1 + (draw(60_000) >> 13); left > 0; left--)
      text += hostilePieces[(draw(1_000_003) >> 4) % hostilePieces.length]!
    yield text
  }
}

/** The spellings in which the path below `base` begins like the address of a host. */
export const hostsBelow = (base: string) => [
  `${base}//evil.example/phish`,
  `${base}/\\evil.example`,
  `${base}\\\\evil.example`,
  `${base}/.//evil.example`,
  `${base}/%2e//evil.example`,
  `${base}/a/..//evil.example`,
  `${base}/a/%2E%2e/\\evil.example`,
  `${base}/\t/evil.example`,
  `${base}/\n/evil.example`,
  `${base}/\r\n\\evil.example`,
  `${base}///evil.example`,
  `/a/..${base}//evil.example`,
  `/./${base.slice(1)}//evil.example`,
]

/** Where a browser on `page` would go. */
export const destination = (text: string, page: string) => (URL.canParse(text, page) ? new URL(text, page) : undefined)
