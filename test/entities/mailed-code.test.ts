import { linkCode, linkOrTypedCode } from '../../src/entities/mailed-code'

const nonce = 'n'.repeat(39)
const whole = `abc012${nonce}`

function fieldOf(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return (error as { readonly details?: { readonly field?: unknown } }).details?.field
  }
}

describe('the code of a link', () => {
  it.each([whole, whole.toUpperCase(), ` ${whole}\n`, `${whole.slice(0, 20)}\r\n ${whole.slice(20)}`])(
    'is the mailed one, however a mail program formats it: %j',
    text => {
      expect(linkCode(text)).toBe(whole)
    },
  )

  it('is in no message', () => {
    const cut = whole.slice(0, 44)
    expect(() => linkCode(cut)).toThrow(
      'code is incomplete: a link has 45 characters after code=, not 44; open the link of the mail again',
    )
  })
})

describe('a typed code', () => {
  it.each(['abc012', 'ABC012', ' a b c 0 1 2 ', 'abc-012', 'ABCO12', 'abcoI2', 'abcol2'])('is meant by %j', text => {
    expect(linkOrTypedCode(text, nonce)).toEqual({ code: whole, isTyped: true })
  })

  it('is not looked for in the code of a link, which is sent as it is', () => {
    expect(linkOrTypedCode(` ${whole.toUpperCase()}`, undefined)).toEqual({ code: whole, isTyped: false })
    expect(linkOrTypedCode('o'.repeat(45), nonce).code).toBe('o'.repeat(45))
  })

  it.each([undefined, 7, '', '-', 'abc01', 'abc0123', whole.slice(1), `${whole}0`])('is not %j', text => {
    expect(fieldOf(() => linkOrTypedCode(text as string, nonce))).toBe('code')
  })

  it.each([undefined, '', nonce.slice(1), `${nonce}n`])('needs a whole nonce, not %j', other => {
    expect(fieldOf(() => linkOrTypedCode('abc012', other))).toBe('nonce')
  })
})
