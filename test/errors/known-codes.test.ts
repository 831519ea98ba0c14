import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { families, isErrorCode, isInFamily, markOf, type ErrorCode } from '../../src/errors/codes'

const source = join(__dirname, '../../src/errors/codes.ts')
const codes = Object.keys(families) as ErrorCode[]

/** No code has this mark. */
const none = '----'

function words(): string {
  const names = ['', ...new Set(Object.values(families).filter(family => family !== ''))]
  return names
    .map(name => [name ? markOf(name) : none, ...codes.filter(code => families[code] === name).map(markOf)].join(''))
    .join(' ')
}

/** In their order, each once. */
function ancestors(code: ErrorCode): string[] {
  const family = families[code]
  return family === '' ? [] : [family, ...ancestors(family)]
}

it('are those of the table; to update them: RXAUTH_WRITE=1', () => {
  const text = readFileSync(source, 'utf8')
  const expected = text.replace(/(?<=^const words =\s+')[^']*/m, words())
  if (process.env['RXAUTH_WRITE']) writeFileSync(source, expected)
  expect(text).toBe(expected)
})

it('have a mark each, and the codes of the kit have other ones', () => {
  const marks = codes.map(markOf)
  expect(new Set(marks).size).toBe(codes.length)
  expect(marks.filter(mark => !/^[a-z0-9]{4}$/.test(mark))).toEqual([])
})

it.each(codes)('%s is known, and in its families alone', code => {
  expect(isErrorCode(code)).toBe(true)
  expect(codes.filter(other => isInFamily(code, other)).sort()).toEqual([code, ...ancestors(code)].sort())
})

it.each(codes.flatMap(code => [`${code}S`, code.slice(1), code.slice(0, -1), code.toLowerCase(), `${code} `]))(
  'does not know "%s"',
  code => {
    const isCode = (codes as readonly string[]).includes(code)
    expect(isErrorCode(code)).toBe(isCode)
  },
)

it('does not know 100,000 other texts, but for the few that share a mark', () => {
  const texts = Array.from({ length: 100_000 }, (_, number) => `A_CODE_OF_LATER_RELEASES_${number}`)
  const known = texts.filter(isErrorCode)
  expect(known.filter(text => !codes.some(code => markOf(code) === markOf(text)))).toEqual([])
  expect(known.length).toBeLessThan(40)
})
