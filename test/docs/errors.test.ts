import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeErrors } from '../../src/auth/code-answers'
import { isErrorCode } from '../../src/errors/codes'
import { root } from './blocks'
import { returnedErrors } from './returned-errors'

const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')

/** The first two columns of the table below a heading. */
function table(heading: string): [string, string][] {
  const section = page.split(/^## /m).find(text => text.startsWith(`${heading}\n`)) ?? ''
  return [...section.matchAll(/^\| +(.*?) +\| +(.*?) +\|/gm)]
    .map(([, left, right]): [string, string] => [left!, right!])
    .filter(([left]) => left.startsWith('`'))
}

function codesIn(text: string): string[] {
  const codes = [...text.matchAll(/`([A-Z_…]+)`/g)].map(([, code]) => code!)
  return codes.flatMap(code => (code === 'VERIFICATION_CODE_…' ? codeErrors : [code])).sort()
}

describe('the page about errors', () => {
  let known: ReturnType<typeof returnedErrors>
  beforeAll(() => {
    known = returnedErrors()
  }, 120_000)

  it.each([
    ['What is returned', 'returned'],
    ['What admins are returned', 'returnedToAdmins'],
  ] as const)('lists every failure that a method returns, and no other: %s', (heading, level) => {
    const rows = table(heading).flatMap(([methods, codes]) =>
      [...methods.matchAll(/`(\w+\$?)`/g)].map(([, method]) => [method!, codesIn(codes).join(' ')] as const),
    )
    expect(rows).not.toEqual([])
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(known[level]))
    expect(rows.map(([method]) => method).sort()).toEqual([...known[level].keys()].sort())
  })

  it('names codes that exist', () => {
    const codes = [...table('What is returned'), ...table('What admins are returned')].flatMap(([, text]) =>
      codesIn(text),
    )
    expect(codes.filter(code => !isErrorCode(code) && !known.local.includes(code))).toEqual([])
    expect(codes).toContain('VERIFICATION_CODE_EXPIRED')
  })

  it("lists every one of the kit's own codes", () => {
    expect(
      table('Codes of the kit')
        .map(([code]) => code.slice(1, -1))
        .sort(),
    ).toEqual(known.local)
  })
})
