import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeErrors } from '../../src/entities/mailed-code'
import { AuthError } from '../../src/errors/auth-error'
import { families, isErrorCode, type ErrorCode } from '../../src/errors/codes'
import { homepage } from '../../package.json'
import { root } from './blocks'
import { anchorsIn } from './links'
import { returnedErrors } from './returned-errors'

const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')

/** The entries below the codes' own headings. */
const entries = page
  .split(/^(?=#{1,3} )/m)
  .flatMap(text => [...text.matchAll(/^### ([A-Z_]+)(\n[^]*)$/g)])
  .map(([, code = '', text = '']) => ({ code, text }))

/** The first two columns of the table below a heading. */
function table(heading: string): [string, string][] {
  const section = page.split(/^## /m).find(text => text.startsWith(`${heading}\n`)) ?? ''
  return [...section.matchAll(/^\| +(.*?) +\| +(.*?) +\|/gm)]
    .map(([, left, right]): [string, string] => [left!, right!])
    .filter(([left]) => left.startsWith('`'))
}

const standsFor: Readonly<Record<string, readonly string[]>> = {
  'VERIFICATION_CODE_…': [...codeErrors, 'VERIFICATION_ERROR'],
  'PASSWORD_TOO_…': ['PASSWORD_TOO_SHORT', 'PASSWORD_TOO_LONG', 'PASSWORD_REQUIREMENTS_NOT_MET'],
}

function codesIn(text: string): string[] {
  const codes = [...text.matchAll(/`([A-Z_…]+)`/g)].map(([, code]) => code!)
  return codes.flatMap(code => standsFor[code] ?? [code]).sort()
}

describe('the page about errors', () => {
  let known: ReturnType<typeof returnedErrors>
  beforeAll(() => {
    known = returnedErrors()
  })

  it.each([
    ['What is returned', 'returned'],
    ['What server methods return', 'returnedToServers'],
    ['What admin methods return', 'returnedToAdmins'],
  ] as const)('lists every failure that a method returns, and no other: %s', (heading, level) => {
    const rows = table(heading).flatMap(([methods, codes]) =>
      [...methods.matchAll(/`(\w+\$?)`/g)].map(([, method]) => [method!, codesIn(codes).join(' ')] as const),
    )
    expect(rows).not.toEqual([])
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(known[level]))
    expect(rows.map(([method]) => method).sort()).toEqual([...known[level].keys()].sort())
  })

  it('names codes that exist', () => {
    const tables = ['What is returned', 'What server methods return', 'What admin methods return']
    const codes = tables.flatMap(table).flatMap(([, text]) => codesIn(text))
    expect(codes.filter(code => !isErrorCode(code) && !known.local.includes(code))).toEqual([])
    expect(codes).toContain('VERIFICATION_CODE_EXPIRED')
  })

  it('has one entry for every code of the platform and of the kit', () => {
    const codes = [...Object.keys(families), ...known.local]
    expect(entries.map(({ code }) => code).sort()).toEqual(codes.sort())
  })

  it('says in each entry what happened, what to do and which text to show', () => {
    const whole = /^\n\n[^-\s].{9,}\n\n- \*\*Do\*\*: \S.*\n- \*\*Say\*\*: \S.*\n+$/s
    expect(entries.filter(({ text }) => !whole.test(text)).map(({ code }) => code)).toEqual([])
  })

  // Promise: site-error-addresses
  it('has the anchor of every error', () => {
    const anchors = anchorsIn(page)
    const lost = entries.filter(({ code }) => {
      const { docs } = new AuthError(code as ErrorCode, 'told')
      const [address, anchor = ''] = docs.split('#')
      return address !== `${homepage}errors` || !anchors.has(anchor)
    })
    expect(lost).toEqual([])
  })
})
