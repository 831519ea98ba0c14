import { pastedCode } from '../../src/core/urls'
import { totpCode, totpStepMillis } from '../../src/core/totp'
import { createCode } from '../../src/platform/directory/verification-codes'
import type { CodePurpose } from '../../src/platform/model/sessions'
import type { Engine } from '../../src/platform/model/engine'
import { randomText as platformText } from '../../src/platform/model/random-text'

const code = 'a1b2c3d4e5f6g7h8j9k0m1n2p3q4r5s6t7v8w9x0y1z28'

describe('a pasted code', () => {
  it.each([
    ['white space', ` ${code}\r\n`],
    ['white space inside', `${code.slice(0, 9)} \t\u00A0\u3000\u2028${code.slice(9)}`],
    ['invisible characters', `\uFEFF\u200B${code.slice(0, 9)}\u200E\u2060\u00AD\u{E0020}${code.slice(9)}\u202C`],
    ['dashes', code.replace(/.{6}/g, '$&-').replace('-', '\u2014').replace('-', '\u2011').replace('-', '\uFE58')],
    ['full width', code.replace(/./g, char => String.fromCharCode(char.charCodeAt(0) + 0xfee0))],
    ['a mathematical font', code.replace(/\d/g, char => String.fromCodePoint(0x1d7ce + Number(char)))],
    ['Arabic digits', code.replace(/\d/g, char => String.fromCodePoint(0x0660 + Number(char)))],
  ])('is meant in %s', (_, text) => {
    expect(pastedCode(text)).toBe(code)
  })

  it.each([
    `https://app.example.com/handler/magic-link-callback?code=${code}`,
    ` https://app.example.com/x?a=1&code=${code}&after_auth_return_to=%2Fteams%3Fcode%3Dother#top\n`,
    `<https://app.example.com/x?code=${code}>`,
    `"https://app.example.com/x?code=${code}"`,
    `https://app.example.com/#/magic-link?code=${code}`,
    `https://app.example.com/#!/magic-link?a=b&code=${code}#x`,
    `https://app.example.com/x#code=${code}`,
    `https://app.example.com/x?a=1&amp;code=${code}`,
    `https://app.example.com/x?code=${code.slice(0, 20)}\n  ${code.slice(20)}`,
    `https://app.example.com/x?code=%20${code.slice(0, 20)}%E2%80%8B${code.slice(20)}`,
    `https://app.example.com/x?code=${code}%`,
    `exp://192.168.1.2:8081/--/magic-link?code=${code}`,
    `app.example.com/x?code=${code}`,
    `?code=${code}`,
  ])('is the parameter of a whole link: %j', link => {
    expect(pastedCode(link).replace('%', '')).toBe(code)
  })

  it('is that of the parameter with the whole name', () => {
    const link = `https://app.example.com/x?login_code=${code}&code=other`
    expect([pastedCode(link, 'login_code'), pastedCode(link)]).toEqual([code, 'other'])
    expect(pastedCode(`https://app.example.com/x?login_code=${code}`)).toContain('login_code')
  })

  it('is taken from a link before anything else is changed', () => {
    // NFKC makes "?" and "&" of the first two, which are none in an address.
    const link = `https://app.example.com/x\uFF1Fcode=a\uFF06code=b?code=${code}`
    expect(pastedCode(link)).toBe(code)
  })

  it('keeps its letters and their case, and what is neither white space nor a dash', () => {
    expect(pastedCode('aB_c.d~é/ö+')).toBe('aB_c.d~é/ö+')
  })

  it('takes time in proportion to the text', () => {
    for (const part of ['?code=', ' ', '\u200B', '-', '\u0660', '&', '?code=%20'])
      expect(pastedCode(part.repeat(100_000)).length).toBeLessThan(1_000_000)
  })
})

describe('digits', () => {
  const all = Array.from({ length: 0x110000 }, (_, point) => point)
    .filter(point => !(point >= 0xd800 && point < 0xe000))
    .map(point => String.fromCodePoint(point))
    .filter(char => /^\p{Nd}$/u.test(char))

  it('of every script that JavaScript can write have their value', () => {
    const zero = new Intl.NumberFormat('en').format(0)
    expect(zero).toBe('0')
    const scripts = Intl.supportedValuesOf('numberingSystem').map(script => {
      const format = new Intl.NumberFormat('en', { numberingSystem: script, useGrouping: false })
      return Array.from({ length: 10 }, (_, digit) => format.format(digit))
    })
    const positional = scripts.filter(digits => digits.every(digit => /^\p{Nd}$/u.test(digit)))
    expect(positional.length).toBeGreaterThan(70)
    for (const digits of positional) expect(pastedCode(digits.join(''))).toBe('0123456789')
  })

  // Promise: pasted-codes
  it('of every script are ten, from zero to nine', () => {
    expect(all.length).toBeGreaterThanOrEqual(650)
    expect(pastedCode(all.join(''))).toBe('0123456789'.repeat(all.length / 10))
    // Each alone too: the others are not beside it then.
    expect(all.map(char => pastedCode(char)).join('')).toBe('0123456789'.repeat(all.length / 10))
  })
})

describe('10,000 codes of the local platform', () => {
  const times = Array.from({ length: 10_000 }, (_, index) => index)
  const engine = {
    tables: { verificationCodes: { put: (row: object) => row } },
    clock: { now: () => 0 },
  } as unknown as Engine
  const purposes = ['email-verification', 'magic-link', 'password-reset', 'team-invitation', 'mfa-attempt'] as const

  const changed = (codes: readonly string[], parameter?: string) =>
    codes.filter(made => pastedCode(made, parameter) !== made)

  // Promise: pasted-codes
  it.each<[CodePurpose]>(purposes.map(purpose => [purpose]))('stay as they are: %s', purpose => {
    const codes = times.map(() => createCode(engine, purpose, {}))
    expect(changed(codes.flatMap(made => [made, made.slice(0, 6)]))).toEqual([])
    expect(codes.filter(made => pastedCode(`?code=${made}`) !== made)).toEqual([])
  })

  it('stay as they are: logins of programs, and digits of authenticators', async () => {
    const logins = times.map(() => platformText())
    expect(changed(logins, 'login_code')).toEqual([])
    const secret = Uint8Array.from({ length: 20 }, (_, index) => index * 11)
    expect(changed(await Promise.all(times.map(step => totpCode(secret, step * totpStepMillis))))).toEqual([])
  })
})
