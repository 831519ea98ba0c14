import { cookieTokens } from 'rxauth'
import { virtualClock } from 'rxauth/platform'
import { projectId, tokens } from './cookie-world'

describe('cookies that the browser blocks', () => {
  const forbidden = () => {
    throw new DOMException('the document is sandboxed', 'SecurityError')
  }

  it.each([
    ['read', { get: forbidden, set: () => undefined }],
    ['written', { get: () => '', set: forbidden }],
  ])('because they cannot be %s are TOKENS_UNAVAILABLE with that reason', (what, cookies) => {
    const source = cookieTokens()
    const store =
      typeof source === 'function' ? source({ projectId, clock: virtualClock(), host: { cookies } }) : source
    expect(() => store.replace(null, tokens)).toThrow(
      expect.objectContaining({
        code: 'TOKENS_UNAVAILABLE',
        message: `the cookies of this page cannot be ${what}: the document is sandboxed`,
      }),
    )
  })
})
