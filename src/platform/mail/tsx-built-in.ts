import type { Node } from 'estree-jsx'

/** A part of a source that the hosted platform may play, and this one cannot. */
export class Unplayable extends Error {}

/** An error of the template itself: thrown by it, or by what it does. */
export class Thrown extends Error {
  constructor(message: string, name = 'Error') {
    super(message)
    this.name = name
  }
}

/** A record of a template: without a prototype, so that a name reaches nothing else. */
export type Values = Record<string, unknown>

/** A function of a template or of the platform. */
export type Native = (...values: readonly unknown[]) => unknown

/** An import. A component has the `element` that it becomes: '' is a fragment; null: it is not drawn, and its `value` is kept. */
export class Import {
  readonly name: string
  readonly element: string | null | undefined

  constructor(name: string, element?: string | null) {
    this.name = name
    this.element = element
  }
}

/** A name in lower case is the type of an element; anything else ought to be a component, or `raw`. */
export class JsxElement {
  readonly type: unknown
  readonly props: Readonly<Values>

  constructor(type: unknown, props: Readonly<Values>) {
    this.type = type
    this.props = props
  }
}

export const fragment = new Import('Fragment', '')

export const raw = new Import('raw', '')

/** HTML that is drawn as it is: a mark, or the mail in a theme. */
export function rawHtml(html: string): JsxElement {
  return new JsxElement(raw, { html })
}

export function bare(values: object): Values {
  return Object.assign(Object.create(null) as Values, values)
}

/** The names of a block within those around it. */
export function inside(outer: Values): Values {
  return Object.create(outer) as Values
}

/** A record, and no other object of a template. */
export function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null
}

/** JSON from outside as values of a template, which share nothing with it. */
export function valuesOf(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(valuesOf)
  if (typeof json !== 'object' || json === null) return json
  return bare(Object.fromEntries(Object.entries(json).map(([name, value]) => [name, valuesOf(value)])))
}

/** The parts of the interpreter that read elements and patterns for it. */
export interface Evaluator {
  readonly evaluate: (node: Node, scope: Values) => unknown
  /** The name of a property. */
  readonly key: (node: Node, isComputed: boolean, scope: Values) => string
  /** The value of a name. */
  readonly named: (name: string, scope: Values) => unknown
  readonly spread: (into: Values, from: unknown) => void
  /** The text of a node in the source. */
  readonly textOf: (node: object) => string
  readonly unplayable: (node: { readonly type: string }) => Unplayable
}

/** Limits what a source can make: any caller may send one, and it runs on the only thread of the platform. */
export class Budget {
  #steps = 1_000_000
  #depth = 400

  /** Takes steps: one for an expression, and one for each character or member that is made. */
  spend(steps: number): void {
    this.#steps -= steps
    if (this.#steps < 0) throw new Unplayable('the local platform stops a template that does not end soon')
  }

  deeper<T>(run: () => T): T {
    this.spend(1)
    if (--this.#depth < 0) throw new Unplayable('the local platform stops a template that is nested too deep')
    try {
      return run()
    } finally {
      this.#depth++
    }
  }
}

const elements: Readonly<Record<string, string>> = {
  ...{ Html: 'html', Head: 'head', Body: 'body', Container: 'div', Section: 'div', Row: 'div', Column: 'div' },
  ...{ Heading: 'h1', Text: 'p', Link: 'a', Button: 'a', Img: 'img', Hr: 'hr' },
}
const notDrawn = ['Subject', 'NotificationCategory'].map(name => [name, new Import(name, null)] as const)
const react = { Fragment: fragment }
const packages: Readonly<Record<string, Values>> = {
  '@react-email/components': bare(
    Object.fromEntries(Object.entries(elements).map(([name, element]) => [name, new Import(name, element)])),
  ),
  '@stackframe/emails': bare(Object.fromEntries(notDrawn)),
  arktype: bare({ type: (fields: unknown) => bare({ fields }) }),
  react: bare({ ...react, default: bare(react), '*': bare(react) }),
}

/** The export of a package: a component, a function, or a name that cannot be used. `*` are all exports. */
export function imported(from: string, name: string): unknown {
  const exports = Object.hasOwn(packages, from) ? packages[from] : undefined
  return exports?.[name] ?? new Import(`${name} of ${from}`)
}

/** Refuses an import that the local platform does not have. */
export function requirePlayable(value: unknown): void {
  if (!(value instanceof Import) || value.element !== undefined) return
  const played = Object.keys(elements).join(', ')
  throw new Unplayable(`the local platform cannot play ${value.name}; of React Email it plays ${played}`)
}

/** The names that every module has. */
export function globals(): Values {
  const error = (name: string) => (message: unknown) => bare({ name, message: toText(message ?? '') })
  return bare({
    ...{ undefined, NaN, Infinity, Boolean, String: toText, Number: (value: unknown) => Number(toText(value)) },
    ...{ Error: error('Error'), RangeError: error('RangeError'), TypeError: error('TypeError') },
  })
}

/** A value that is no object and no function, as JavaScript writes it into a text. */
export function toText(value: unknown): string {
  if (isPrimitive(value)) return String(value)
  throw new Unplayable('the local platform makes no text of an object')
}

export function isPrimitive(value: unknown): value is string | number | boolean | null | undefined {
  return value === null || (typeof value !== 'object' && typeof value !== 'function')
}

/** The own property of a value; undefined: it has none. */
export function propertyOf(value: unknown, name: string): unknown {
  requirePlayable(value)
  if (value == null) throw new Thrown(`Cannot read properties of ${String(value)} (reading '${name}')`, 'TypeError')
  const isShown = isValues(value) || Array.isArray(value) || typeof value === 'string'
  return isShown && Object.hasOwn(Object(value) as object, name) ? (value as Values)[name] : undefined
}

/** The methods that make nothing larger than what they are given. */
const methods: Readonly<Record<string, string>> = {
  string:
    'at charAt endsWith includes indexOf slice split startsWith substring toLowerCase toString toUpperCase trim trimEnd trimStart',
  number: 'toFixed toLocaleString toString',
  list: 'at every filter find findIndex includes indexOf join map reduce slice some',
}

/** Calls a method of a text, a number or a list. */
export function callMethod(budget: Budget, target: unknown, name: string, values: readonly unknown[]): unknown {
  const kind = Array.isArray(target) ? 'list' : typeof target
  const isPlayed = methods[kind]?.split(' ').includes(name) && (kind !== 'string' || values.every(isPrimitive))
  if (!isPlayed) throw new Unplayable(`the local platform cannot play the method ${name}() of a ${kind}`)
  const made = name === 'join' ? joined(budget, target as readonly unknown[], values[0]) : applied(target, name, values)
  if (Array.isArray(target) || typeof target === 'string') budget.spend(target.length)
  if (Array.isArray(made) || typeof made === 'string') budget.spend(made.length)
  return made
}

function joined(budget: Budget, list: readonly unknown[], separator: unknown = ','): string {
  const [texts, between] = [list.map(each => toText(each ?? '')), toText(separator)]
  budget.spend(texts.reduce((sum, { length }) => sum + length + between.length, 0))
  return texts.join(between)
}

function applied(target: unknown, name: string, values: readonly unknown[]): unknown {
  // The method is one of the lists above.
  const method = Reflect.get(Object(target) as object, name) as Native
  try {
    return Reflect.apply(method, target, values)
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) throw new Thrown(error.message, error.name)
    throw error
  }
}

type Operate = (left: number, right: number) => unknown

const unary: Readonly<Record<string, Operate | undefined>> = {
  '!': value => !value,
  '-': value => -value,
  typeof: value => typeof value,
}

const binary: Readonly<Record<string, Operate | undefined>> = {
  // Between `null` and `undefined` only, `==` is another comparison than `===` here.
  '==': (left, right) => (left ?? null) === (right ?? null),
  '!=': (left, right) => (left ?? null) !== (right ?? null),
  '===': (left, right) => left === right,
  '!==': (left, right) => left !== right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
}

/** The operation with these values; undefined: it is not played, or not with objects. */
export function operatorOf(operator: string, values: readonly unknown[]): (() => unknown) | undefined {
  const operate = (values.length === 1 ? unary : binary)[operator]
  const isOfAll = /^(?:!|typeof|[!=]==?)$/.test(operator)
  const [left, right] = values
  // The operators of JavaScript take any primitive value.
  return operate && (isOfAll || values.every(isPrimitive)) ? () => operate(left as number, right as number) : undefined
}
