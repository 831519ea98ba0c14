import { encodeCookie, readCookies } from '../../../src/session/stores/cookie-format'

/** Every character of the first plane but surrogates, a pair, and texts with several of them. */
const texts = [...Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code)), '😀', '["a=b","ü; 50 %"]']

describe('the value of a cookie', () => {
  it('is written with the characters of RFC 6265 unchanged, and the rest and percent signs encoded', () => {
    const allowed = (text: string) => /^[!#-+\--:<-[\]-~]$/.test(text) && text !== '%'
    const wanted = (text: string) => Array.from(text, one => (allowed(one) ? one : encodeURIComponent(one))).join('')
    expect(texts.filter(text => encodeCookie(text) !== wanted(text))).toEqual([])
    expect(encodeCookie('a\uD800')).toBe('a%EF%BF%BD')
    expect(encodeCookie('["a=b","ü; 50 %"]')).toBe('[%22a=b%22%2C%22%C3%BC%3B%2050%20%25%22]')
  })

  it('is read as it was written', () => {
    const read = (text: string) => readCookies(`other=1; a=${encodeCookie(text)}; b=2`).get('a')
    expect(texts.filter(text => read(text) !== text)).toEqual([])
  })

  it.each([
    ['in quotes', '"a%20b"', 'a b'],
    ['with a percent sign that encodes nothing', '50% of%20it', '50% of it'],
    ['in small hexadecimal', '%c3%bc', 'ü'],
    ['that is no UTF-8', '%ff', undefined],
  ])('%s is read as other programs mean it', (_, text, value) => {
    expect(readCookies(`a=${text}`).get('a')).toBe(value)
  })
})
