import * as v from 'valibot'
import { hasAddedNames, isRecord, orUndefined } from './values'

/** A schema in local terms: camelCase keys, `Date` instants. The codec below knows what each looks like on the wire. */
export type Shape<T> = v.GenericSchema<unknown, T>

/** How the value differs on the wire from its local form; absent: only its keys differ. */
type WireForm = 'millis' | 'epoch' | 'iso' | 'items' | 'page' | 'field'

/** The parts of a valibot schema that the codec reads, all of them public there. */
interface SchemaNode {
  readonly type: string
  readonly wireForm?: WireForm
  /** Translates a value of that form; a part of the schema, so that an app contains only the forms of its own endpoints. */
  readonly translate?: Translate
  readonly wrapped?: SchemaNode
  readonly item?: SchemaNode
  readonly entries?: Readonly<Record<string, SchemaNode>>
}

type Translate = (node: SchemaNode, value: unknown, encode: boolean) => unknown

/** A `Date` that is milliseconds on the wire, under a name that ends in `_millis`: `createdAt` is `created_at_millis`. */
export function millis() {
  return form(v.date(), 'millis', translateMillis)
}

/** A `Date` that is milliseconds on the wire under its own name: a session's `createdAt` is `created_at`. */
export function epoch() {
  return form(v.date(), 'epoch', translateMillis)
}

/** A `Date` that is an ISO-8601 text on the wire. */
export function iso() {
  return form(v.date(), 'iso', translateIso)
}

/** The name of a field as a value: `signedUpAt` is `signed_up_at` on the wire. */
export function field<const N extends string>(names: readonly N[]) {
  return form(v.picklist(names), 'field', translateField)
}

/** A list; on the wire `{ items, is_paginated: false }`. */
export function items<T>(item: Shape<T>): Shape<T[]> {
  return form(v.array(item), 'items', translateItems)
}

/** One page of a longer list. `nextCursor` asks for the next page; null: this page is the last. */
export interface ListPage<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
  /** How many items of this page cannot be read and are missing in `items`. Absent: none. */
  readonly leftOut?: number
}

/** One page of a longer list; on the wire `{ items, is_paginated: true, pagination: { next_cursor } }`. */
export function page<T>(item: Shape<T>): Shape<ListPage<T>> {
  return form(v.object({ items: v.array(item), nextCursor: v.nullable(v.string()) }), 'page', translatePage)
}

/** The schema library's check. The library loops over `for … in`, so what a page has added to all objects is hidden from it. */
export function check<S extends v.GenericSchema>(schema: S, value: unknown): v.SafeParseResult<S> {
  if (!hasAddedNames()) return v.safeParse(schema, value)
  hideAddedNames(schema)
  return v.safeParse(schema, isRecord(value) ? Object.assign(Object.create(null) as object, value) : value)
}

function hideAddedNames({ entries, ...node }: object & { readonly entries?: object }): void {
  if (entries) Object.setPrototypeOf(entries, null)
  for (const part of [node, entries ?? {}].flatMap(each => Object.values<unknown>(each).flat()))
    if (isRecord(part) && 'kind' in part) hideAddedNames(part)
}

// The HTML standard's rule for `<input type=email>`; domains without a dot pass.
const emailForm =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i

/** Characters and names around a copied address, in the order in which they are taken off. */
const around: readonly (readonly [form: RegExp, rest: string])[] = [
  // eslint-disable-next-line regexp/no-super-linear-move -- texts have fewer than 1,000 characters here
  [/^[\s\p{Cf},;:]+|[\s\p{Cf}.,;:。｡．，；：]+$/gu, ''],
  [/^["'\p{Ps}\p{Pi}](.*)["'\p{Pe}\p{Pf}\p{Pi}]$/su, '$1'],
  [/^[^<@]*<([^<>]*)>$/, '$1'],
]

/**
 * An address without what comes with it when it is copied: white space, invisible characters and marks around it, `mailto:`,
 * the name and brackets of `Ada <ada@example.com>`. The @ and the domain may be full-width. The part before the @ keeps its
 * characters, since another one is another mailbox; the platform compares in lower case.
 */
export function cleanEmail(given: string): string {
  let text = given
  // An address may be as long as a body, and these forms are quadratic.
  for (let before; text !== before && text.length < 1000;) {
    before = text
    for (const [form, rest] of around) text = text.replace(form, rest)
    text = text.replace(
      /^mailto:([^?]*)(?:\?.*)?$/is,
      (_, address: string) => orUndefined(() => decodeURIComponent(address)) ?? address,
    )
  }
  const at = text.search(/[@＠﹫][^@＠﹫]*$/)
  if (at < 0) return text.trim()
  const domain = text
    .slice(at + 1)
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replaceAll('。', '.')
  return `${text.slice(0, at)}@${domain}`.trim().replace(/[A-Z]/g, letter => letter.toLowerCase())
}

/** Why a cleaned text is no address. The character is shown with its number, since it may be invisible. */
function noEmail({ input }: { readonly input: string }): string {
  const [odd] = /[^\w.!#$%&'*+/=?^`{|}~@-]/u.exec(input) ?? []
  const code = odd?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
  return `is no e-mail address${odd ? `: it contains "${odd}" (U+${code})` : input.includes('@') ? '' : ': it has no @'}`
}

/**
 * An e-mail address as the platform stores it: it compares exactly, so addresses are sent cleaned and in lower case.
 * Addresses that the platform's schema refuses are refused before the request.
 */
export function email() {
  return v.pipe(
    v.string(),
    v.transform(cleanEmail),
    v.check(text => emailForm.test(text), noEmail),
  )
}

/** An address that can sign up: no empty part before the @, and a domain with a dot. */
export function dottedEmail() {
  return v.pipe(
    email(),
    v.check(
      text => /^[^.@]+(?:\.[^.@]+)*@.*\.[^.]{2,}$/.test(text),
      'is no e-mail address: it needs a name, an @ and a domain with a dot',
    ),
  )
}

/** The fault of a text that is no address; inputs of another type are left to the input's own check. */
export function faultOfEmail(text: string): string | undefined {
  return typeof text === 'string' ? check(email(), text).issues?.[0].message : undefined
}

/** The URL of a picture; the platform takes null for none, and refuses an empty text. */
export function imageUrl() {
  return v.pipe(
    v.string(),
    v.check(text => text !== '', 'is empty; null takes the picture away'),
  )
}

const pictureForm = /^data:image\/(?:png|jpe?g|gif|bmp|webp);base64,[A-Za-z\d+/]+={0,2}$/

/** A picture that users may set: servers may set any URL. */
export function ownImageUrl() {
  return v.pipe(
    v.string(),
    v.check(
      text => text.length <= 1e6 && pictureForm.test(text),
      'is no picture as a base64 data URL of at most 1,000,000 characters; null takes the picture away',
    ),
  )
}

/** A field that only newer releases of the platform take; the reference release refuses a request with it. */
export function newer<S extends object>(schema: S): S & { readonly isNewer: true } {
  return Object.assign(schema, { isNewer: true as const })
}

/** Any JSON value, passed through untouched: metadata belongs to the app. */
export function json<T = unknown>(): v.GenericSchema<T> {
  // The app states the type of what it stores.
  return v.unknown() as v.GenericSchema<T>
}

function form<S extends object>(
  schema: S,
  wireForm: WireForm,
  translate: Translate,
): S & { readonly wireForm: WireForm } {
  return Object.assign(schema, { wireForm, translate })
}

/** The wire form of a local value, without undefined values and keys unknown to the schema. */
export function toWire(schema: Shape<unknown>, value: unknown): unknown {
  return translate(nodeOf(schema), value, true)
}

/** The local form of a wire value, without keys unknown to the schema; still to be checked against it. */
export function fromWire(schema: Shape<unknown>, value: unknown): unknown {
  return translate(nodeOf(schema), value, false)
}

/** The wire's name of a local key: snake_case, with `_millis` where the schema says so. */
export function wireName(key: string, schema: Shape<unknown>): string {
  return nameOf(key, nodeOf(schema))
}

/** The local name of a wire key, and whether its value is in milliseconds. */
export function localName(wireKey: string): readonly [name: string, isMillis: boolean] {
  const isMillis = wireKey.endsWith('_millis')
  const bare = isMillis ? wireKey.slice(0, -'_millis'.length) : wireKey
  return [bare.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()), isMillis]
}

// A generic schema hides its kind; properties of Node are checked before use.
function nodeOf(schema: Shape<unknown>): SchemaNode {
  return schema
}

type WireEntries = NonNullable<SchemaNode['entries']>

/** The entries of each schema with their wire names, computed once because every answer needs them. */
type NamedEntry = readonly [key: string, wireKey: string, entry: SchemaNode]
const named = /* @__PURE__ */ new WeakMap<WireEntries, readonly NamedEntry[]>()

function namesOf(entries: WireEntries) {
  const known = named.get(entries)
  if (known) return known
  const names = Object.entries(entries).map(([key, entry]) => [key, nameOf(key, entry), entry] as const)
  named.set(entries, names)
  return names
}

function nameOf(key: string, node: SchemaNode): string {
  const snake = snakeCase(key)
  return innermost(node).wireForm === 'millis' ? snake + '_millis' : snake
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => '_' + letter.toLowerCase())
}

function innermost(node: SchemaNode): SchemaNode {
  return node.wrapped ? innermost(node.wrapped) : node
}

function translate(node: SchemaNode, value: unknown, encode: boolean): unknown {
  if (value === null || value === undefined) return value
  if (node.wrapped) return translate(node.wrapped, value, encode)
  if (node.translate) return node.translate(node, value, encode)
  const { item, entries } = node
  if (item) return translateAll(item, value, encode)
  if (entries) {
    if (!isRecord(value)) return value
    const result: Record<string, unknown> = {}
    for (const [key, wireKey, entry] of namesOf(entries)) {
      const from = encode ? key : wireKey
      const found = Object.hasOwn(value, from) ? value[from] : undefined
      if (found !== undefined) result[encode ? wireKey : key] = translate(entry, found, encode)
    }
    return result
  }
  return value
}

function translateField(_: SchemaNode, value: unknown, encode: boolean): unknown {
  return typeof value !== 'string' ? value : encode ? snakeCase(value) : localName(value)[0]
}

function translateItems({ item }: SchemaNode, value: unknown, encode: boolean): unknown {
  if (encode) return { items: translateAll(item, value, encode), is_paginated: false }
  return isRecord(value) ? translateAll(item, value['items'], encode) : undefined
}

function translatePage({ entries }: SchemaNode, value: unknown, encode: boolean): unknown {
  if (!isRecord(value)) return value
  const translated = translateAll(entries?.['items']?.item, value['items'], encode)
  if (encode) return { items: translated, is_paginated: true, pagination: { next_cursor: value['nextCursor'] } }
  const { pagination, is_paginated: isPaginated } = value
  // Undefined, which the schema refuses: the list would seem to end here.
  const nextCursor = isRecord(pagination) ? pagination['next_cursor'] : isPaginated === false ? null : undefined
  return { items: translated, nextCursor }
}

function translateAll(item: SchemaNode | undefined, value: unknown, encode: boolean): unknown {
  return item && Array.isArray(value) ? value.map(part => translate(item, part, encode)) : value
}

function translateIso(_: SchemaNode, value: unknown, encode: boolean): unknown {
  if (encode) return value instanceof Date ? value.toISOString() : value
  return typeof value === 'string' ? new Date(value) : value
}

function translateMillis(_: SchemaNode, value: unknown, encode: boolean): unknown {
  if (encode) return value instanceof Date ? value.getTime() : value
  return typeof value === 'number' ? new Date(value) : value
}
