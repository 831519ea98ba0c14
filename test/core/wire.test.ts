import fc from 'fast-check'
import * as v from 'valibot'
import {
  email,
  epoch,
  field,
  fromWire,
  iso,
  items,
  json,
  localName,
  millis,
  page,
  toWire,
  wireName,
} from '../../src/core/wire'
import type { Shape } from '../../src/core/wire'

describe('names', () => {
  it.each([
    ['displayName', 'display_name'],
    ['id', 'id'],
    ['totpSecretBase64', 'totp_secret_base64'],
    ['aB', 'a_b'],
    ['isAString', 'is_a_string'],
  ])('%s is %s on the wire, and back', (local, wire) => {
    expect(wireName(local, v.string())).toBe(wire)
    expect(localName(wire)).toEqual([local, false])
  })

  it('of instants in milliseconds end in _millis, however they are wrapped', () => {
    const schema = v.optional(v.nullable(millis()))
    expect(wireName('createdAt', schema)).toBe('created_at_millis')
    expect(localName('created_at_millis')).toEqual(['createdAt', true])
    expect(wireName('createdAt', epoch())).toBe('created_at')
    expect(wireName('expiresAt', iso())).toBe('expires_at')
  })

  it.each(['minLength', 'maxLength', '_', '__proto__', 'a__b', ''])(
    'of any kind are read without failing: "%s"',
    key => {
      expect(typeof localName(key)[0]).toBe('string')
    },
  )
})

describe('values', () => {
  const date = new Date('2026-01-02T03:04:05.678Z')
  const schema = v.object({
    madeAt: millis(),
    usedAt: epoch(),
    endsAt: iso(),
    orderedBy: field(['signedUpAt', 'id']),
    goneAt: v.optional(v.nullable(millis())),
    parts: v.array(v.object({ isNew: v.boolean() })),
    metadata: json(),
  })
  const local = {
    madeAt: date,
    usedAt: date,
    endsAt: date,
    orderedBy: 'signedUpAt',
    goneAt: null,
    parts: [{ isNew: true }],
    metadata: { someKey: { other_key: 1 } },
  }
  const wire = {
    made_at_millis: +date,
    used_at: +date,
    ends_at: date.toISOString(),
    ordered_by: 'signed_up_at',
    gone_at_millis: null,
    parts: [{ is_new: true }],
    metadata: { someKey: { other_key: 1 } },
  }

  it('are translated both ways', () => {
    expect(toWire(schema, local)).toEqual(wire)
    expect(v.parse(schema, fromWire(schema, wire))).toEqual(local)
  })

  it('lose what the schema does not have, and what is undefined', () => {
    expect(fromWire(schema, { ...wire, secret_field: 1, madeAt: 2 })).toEqual(local)
    expect(toWire(schema, { ...local, secret: 1, goneAt: undefined })).toEqual({ ...wire, gone_at_millis: undefined })
    expect(toWire(schema, { goneAt: undefined })).not.toHaveProperty('gone_at_millis')
  })

  it('in a list are its items on the wire', () => {
    const list = items(v.object({ id: v.string() }))
    expect(toWire(list, [{ id: 'x' }])).toEqual({ items: [{ id: 'x' }], is_paginated: false })
    expect(
      v.parse(list, fromWire(list, { items: [{ id: 'x', more: 1 }], is_paginated: false, pagination: {} })),
    ).toEqual([{ id: 'x' }])
  })

  it.each([
    [{ pagination: { next_cursor: 'y' }, is_paginated: true }, 'y'],
    [{ pagination: { next_cursor: null }, is_paginated: true }, null],
    [{ is_paginated: false }, null],
    // Nothing says that the list ends here.
    [{ pagination: {}, is_paginated: true }, 'refused'],
    [{ is_paginated: true }, 'refused'],
    [{}, 'refused'],
    [{ pagination: null }, 'refused'],
    [{ pagination: { next_cursor: 7 } }, 'refused'],
  ])('of a page have the next one: %j', (rest, cursor) => {
    const list = page(v.string())
    const read = v.safeParse(list, fromWire(list, { items: ['x'], ...rest }))
    expect(read.success ? read.output.nextCursor : 'refused').toBe(cursor)
  })

  it.each([
    [items(v.string()), { items: 'x' }],
    [items(v.string()), []],
    [items(v.string()), null],
    [schema, []],
    [schema, 'x'],
    [schema, { ...wire, made_at_millis: '5' }],
    [schema, { ...wire, ends_at: 5 }],
    [schema, { ...wire, ends_at: 'never' }],
    [schema, { ...wire, made_at_millis: Infinity }],
    [schema, { ...wire, parts: { 0: { is_new: true } } }],
    [schema, { ...wire, parts: [{ is_new: 'true' }] }],
    [v.array(millis()), 'x'],
  ] as [Shape<unknown>, unknown][])('of the wrong type reach the check and fail there', (shape, value) => {
    expect(v.safeParse(shape, fromWire(shape, value)).success).toBe(false)
  })
})

describe('e-mail addresses', () => {
  // Promise: email-input
  it.each([
    ['  Ada@Example.COM\n', 'ada@example.com'],
    ['\u200Bada@example.com\uFEFF', 'ada@example.com'],
    ['\u202Aada@example.com\u202C', 'ada@example.com'],
    ['ada@exam\u00ADple.com\u200B', 'ada@example.com'],
    ['ada＠example.com', 'ada@example.com'],
    ['ada＠ｅｘａｍｐｌｅ．ｃｏｍ', 'ada@example.com'],
    ['ada﹫example。com', 'ada@example.com'],
    ['mailto:ada@example.com', 'ada@example.com'],
    ['MAILTO:ada%2Bnews@example.com?subject=Hello%20Ada', 'ada+news@example.com'],
    ['mailto:100%@example.com', '100%@example.com'],
    ['<ada@example.com>', 'ada@example.com'],
    ['<mailto:ada@example.com>,', 'ada@example.com'],
    ['Ada Lovelace <ada@example.com>;', 'ada@example.com'],
    ['"ada@example.com"', 'ada@example.com'],
    ["'ada@example.com'.", 'ada@example.com'],
    ['„ada@example.com“', 'ada@example.com'],
    ['(ada@example.com)', 'ada@example.com'],
    ['ada@example.com.', 'ada@example.com'],
    ['ada@example.com,\u200B ', 'ada@example.com'],
    ["O'Hara+x@example.com", "o'hara+x@example.com"],
    ['.ada@example.com', '.ada@example.com'],
    ['mailto@example.com', 'mailto@example.com'],
    [`${'a'.repeat(2000)}@Example.com `, `${'a'.repeat(2000)}@example.com`],
  ])('are sent as they are stored, without what comes with a copied one: %j', (given, sent) => {
    expect(v.parse(email(), given)).toBe(sent)
  })

  // Promise: email-input
  it.each([
    ['ad\u200Ba@example.com', 'is no e-mail address: it contains "\u200B" (U+200B)'],
    ['ada\u200B@example.com', 'is no e-mail address: it contains "\u200B" (U+200B)'],
    ['ａda@example.com', 'is no e-mail address: it contains "ａ" (U+FF41)'],
    ['\u212Aate@example.com', 'is no e-mail address: it contains "\u212A" (U+212A)'],
    ['😀@example.com', 'is no e-mail address: it contains "😀" (U+1F600)'],
    ['ada @example.com', 'is no e-mail address: it contains " " (U+0020)'],
    ['eve@example.com <ada@example.com>', 'is no e-mail address: it contains " " (U+0020)'],
    ['ada@example.com, bob@example.com', 'is no e-mail address: it contains "," (U+002C)'],
    ['ada.example.com', 'is no e-mail address: it has no @'],
    ['ada@bob@example.com', 'is no e-mail address'],
    ['', 'is no e-mail address: it has no @'],
  ])('of %j are refused: %s', (given, said) => {
    expect(v.safeParse(email(), given).issues?.map(({ message }) => message)).toEqual([said])
  })

  it('are not found in texts of a hundred thousand characters, whatever these repeat', () => {
    for (const part of [' ', '"', '<', 'mailto:', '.', '\u200B', '@'])
      expect(v.is(email(), `a${part.repeat(100_000)}a`)).toBe(false)
  })
})

/** Schemas of every kind that the codec knows, each with its values. */
const { shape } = fc.letrec<{
  shape: readonly [Shape<unknown>, fc.Arbitrary<unknown>]
  leaf: readonly [Shape<unknown>, fc.Arbitrary<unknown>]
}>(tie => ({
  leaf: fc.constantFrom<readonly [Shape<unknown>, fc.Arbitrary<unknown>]>(
    [v.string(), fc.string({ unit: 'binary' })],
    [v.number(), fc.double({ noNaN: true, noDefaultInfinity: true }).map(number => number + 0)],
    [v.boolean(), fc.boolean()],
    [json(), fc.jsonValue().map(value => JSON.parse(JSON.stringify(value)) as unknown)],
    [millis(), fc.date({ noInvalidDate: true })],
    [epoch(), fc.date({ noInvalidDate: true })],
    [iso(), fc.date({ noInvalidDate: true })],
    [field(['signedUpAt', 'id']), fc.constantFrom('signedUpAt', 'id')],
  ),
  shape: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    tie('shape').map(([inner, value]) => [v.nullable(inner), fc.option(value)] as const),
    tie('shape').map(([inner, value]) => [v.array(inner), fc.array(value, { maxLength: 3 })] as const),
    tie('shape').map(([inner, value]) => [items(inner), fc.array(value, { maxLength: 3 })] as const),
    fc.dictionary(fc.stringMatching(/^[a-z][a-z0-9]{0,4}([A-Z][a-z0-9]{1,4}){0,2}$/), tie('shape'), { maxKeys: 4 }).map(
      fields =>
        [
          v.object(Object.fromEntries(Object.entries(fields).map(([key, [inner]]) => [key, v.optional(inner)]))),
          fc.record(Object.fromEntries(Object.entries(fields).map(([key, [, value]]) => [key, value])), {
            requiredKeys: [],
            noNullPrototype: true,
          }),
        ] as const,
    ),
  ),
}))

it('every value of every schema comes back as it was, through real JSON', () => {
  fc.assert(
    fc.property(
      shape.chain(([schema, values]) => values.map(value => [schema, value] as const)),
      ([schema, value]) => {
        const sent = JSON.parse(JSON.stringify(toWire(schema, value) ?? null)) as unknown
        expect(v.parse(schema, fromWire(schema, sent))).toEqual(value)
      },
    ),
    { numRuns: 1500 },
  )
})

it('nothing that a server sends makes the codec throw or reach a prototype', () => {
  const schema = v.object({
    id: v.string(),
    parts: v.array(v.object({ toString: v.optional(v.unknown()) })),
    madeAt: millis(),
    metadata: json(),
  })
  const hostile = fc.anything({
    key: fc.constantFrom(
      '__proto__',
      'constructor',
      'prototype',
      'id',
      'parts',
      'metadata',
      'made_at_millis',
      'items',
      'toString',
    ),
  })
  fc.assert(
    fc.property(hostile, value => {
      const local = fromWire(schema, value)
      v.safeParse(schema, local)
      expect({}).not.toHaveProperty('polluted')
    }),
    { numRuns: 2000 },
  )
})

it('a key called __proto__ in metadata is a key, and pollutes nothing', () => {
  const schema = v.object({ metadata: json(), clientMetadata: v.optional(json()) })
  const sent: unknown = JSON.parse(
    '{"metadata": {"__proto__": {"polluted": true}}, "__proto__": {"client_metadata": 1}}',
  )
  const local = v.parse(schema, fromWire(schema, sent))
  expect(JSON.stringify(local)).toBe('{"metadata":{"__proto__":{"polluted":true}}}')
  expect(JSON.stringify(toWire(schema, local))).toBe('{"metadata":{"__proto__":{"polluted":true}}}')
  expect({}).not.toHaveProperty('polluted')
})

it('what an object inherits is not sent and not read', () => {
  const schema = v.object({ constructor: v.optional(v.unknown()), valueOf: v.optional(v.unknown()) })
  expect(toWire(schema, {})).toEqual({})
  expect(fromWire(schema, {})).toEqual({})
})
