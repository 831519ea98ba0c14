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

/** HTML that is drawn as it is: a mark, or the mail in a theme. */
export class Html {
  readonly html: string

  constructor(html: string) {
    this.html = html
  }
}

/** A name in lower case is the type of an element; anything else ought to be a component. */
export class JsxElement {
  readonly type: unknown
  readonly props: Readonly<Values>

  constructor(type: unknown, props: Readonly<Values>) {
    this.type = type
    this.props = props
  }
}

export function bare(values: object): Values {
  return Object.assign(Object.create(null) as Values, values)
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
  evaluate(node: Node, scope: Values): unknown
  /** The name of a property. */
  key(node: Node, isComputed: boolean, scope: Values): string
  spread(into: Values, from: unknown): void
  /** The text of a node in the source. */
  textOf(node: object): string
  unplayable(node: { readonly type: string }): Unplayable
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
