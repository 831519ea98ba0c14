import { bare, Import, isValues, Thrown, Unplayable } from './tsx-values'
import type { Budget, Native, Values } from './tsx-values'

/** The elements that the components of React Email become. */
const elements: Readonly<Record<string, string>> = {
  ...{ Html: 'html', Head: 'head', Body: 'body', Container: 'div', Section: 'div', Row: 'div', Column: 'div' },
  ...{ Heading: 'h1', Text: 'p', Link: 'a', Button: 'a', Img: 'img', Hr: 'hr' },
}
const notDrawn = ['Subject', 'NotificationCategory'].map(name => [name, new Import(name, null)] as const)
const react = { Fragment: new Import('Fragment', '') }
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
  // Between `null` and `undefined` only, `==` is another comparison than `===` here.
  const isLoose = operator === '==' || operator === '!='
  const [left, right] = isLoose ? values.map(value => value ?? null) : values
  const operate = (values.length === 1 ? unary : binary)[isLoose ? `${operator}=` : operator]
  const isOfAll = /^(?:!|typeof|[!=]==?)$/.test(operator)
  // The operators of JavaScript take any primitive value.
  return operate && (isOfAll || values.every(isPrimitive)) ? () => operate(left as number, right as number) : undefined
}
