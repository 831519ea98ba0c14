import { format } from 'node:util'
import fc from 'fast-check'
import { AuthError } from 'rxauth'
import { describe as describeError, format as formatInPage } from '../../../docs/.vitepress/run/inspect'
import { runs } from '../../runs'

class Account {
  readonly name = 'Ada'
}

const loop: { own?: object } = {}
loop.own = loop

// Promise: site-programs
describe('a program of the site prints as Node does', () => {
  it.each<[string, unknown[]]>([
    ['nothing', []],
    ['texts and other values', ['a', 1, true, null, undefined, 2n, Symbol('s'), -0]],
    ['a text in an object', [{ a: 'it’s', b: "it's", c: 'a\nb', d: `'"` }]],
    ['names that need quotes', [{ 'content-type': 'x', a1: 1, 2: 3 }]],
    ['empty values', [{}, [], new Map(), new Set(), '']],
    ['dates', [new Date(0), new Date(NaN), { at: new Date(1) }]],
    ['collections', [new Map([['a', { b: 1 }]]), new Set([1, 'x'])]],
    ['classes and functions', [new Account(), Account, () => 1, function named() {}]],
    ['an object without a prototype', [Object.assign(Object.create(null) as object, { a: 1 })]],
    ['what is deep', [{ a: { b: { c: { d: 1 }, e: [[1]], f: new Account() } } }]],
    [
      'a state',
      [{ status: 'signed-in', user: { id: 'x', displayName: 'Ada Lovelace', primaryEmail: 'ada@example.com' } }],
    ],
    ['a long list', [['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'cccccccccccccccccc']]],
  ])('%s', (_, values) => {
    expect(formatInPage(...values)).toBe(format(...values))
  })

  it('objects of texts and numbers', () => {
    const item = fc.oneof(fc.integer(), fc.stringMatching(/^[ -~]*$/), fc.boolean())
    const value = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), item, { noNullPrototype: true })
    fc.assert(
      fc.property(value, each => {
        expect(formatInPage(each)).toBe(format(each))
      }),
      { numRuns: runs(200, 2000) },
    )
  })

  it('a loop once', () => {
    expect(formatInPage(loop)).toBe('{ own: [Circular *1] }')
  })
})

it('an error of a program shows its code, its message and its cause, without the files of the bundle', () => {
  const cause = new TypeError('fetch failed')
  const error = new AuthError('NETWORK_ERROR', 'the platform cannot be reached', { cause })
  expect(describeError(error)).toBe(
    'AuthError [NETWORK_ERROR]: the platform cannot be reached\n  cause: TypeError: fetch failed',
  )
})
