import { DEV } from '../core/dev'
import { learnName } from '../core/names'
import { invalidInput } from '../errors/auth-error'
import type { Kit } from '../store/kit'
import type { Query } from '../store/definition'
import type { Store } from '../store/store'
import { watchResult } from '../store/write/unread-result'

type BoundQuery<I, O> = keyof I extends never ? Store<O> : {} extends I ? (args?: I) => Store<O> : (args: I) => Store<O>

/** The definitions in a module, which also exports schemas. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any access level, and whatever a definition takes
type Definitions<D> = { [K in keyof D]: D[K] extends (kit: any, ...rest: any[]) => unknown ? K : never }[keyof D]

/**
 * Definitions without their kit. None is overloaded or generic, because binding keeps only the last overload.
 *
 * @example
 * const bound: Bound<{ teams$: typeof teams$ }> = { teams$: app.teams$ }
 */
export type Bound<D> = BoundEach<Pick<D, Definitions<D>>>

// A type of its own: a mapped type that filters its keys loses the docstrings.
type BoundEach<D> = {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- any access level, and whatever a definition takes
  readonly [K in keyof D]: D[K] extends Query<any, infer I, infer O>
    ? BoundQuery<I, O>
    : // eslint-disable-next-line @typescript-eslint/no-explicit-any -- see above
      D[K] extends (kit: any, ...rest: infer R) => infer O
      ? (...rest: R) => O
      : never
}

interface Definition {
  (kit: Kit<never>, ...rest: unknown[]): unknown
  readonly endpoint?: { readonly places: object } | undefined
}

/**
 * Binds each definition of a module to the kit. Stores are inert handles, so those without arguments are created at once.
 */
export function bind<D extends object>(kit: Kit<never>, module: D): Bound<D> {
  // Bound as the type says, which fromEntries cannot express.
  return Object.fromEntries(bindings(module).map(([name, binding]) => [name, binding(kit)])) as Bound<D>
}

/** The same for a later kit, by the name of each definition. */
export function bindings(module: object): [name: string, binding: (kit: Kit<never>) => unknown][] {
  const definitions = Object.entries(module).filter(
    (entry): entry is [string, Definition] => typeof entry[1] === 'function',
  )
  return definitions.map(([name, definition]) => {
    learnName(name, definition)
    const binding = (kit: Kit<never>) => {
      const bound = (...rest: unknown[]) => {
        const isText = typeof rest[0] === 'string' || typeof rest[0] === 'number'
        // Its first argument is the name of a page.
        if (!isText || name === 'redirectTo') {
          const returned = definition(kit, ...rest)
          // The promise of a callback page is one for all its calls.
          return DEV && returned instanceof Promise && name !== 'handleOAuthCallback'
            ? returned.then((result: unknown) => watchResult(kit, name, result))
            : returned
        }
        const error = invalidInput(
          'input',
          DEV ? `of ${name}() is one object of named values, not the ${typeof rest[0]} given` : `of ${name}()`,
        )
        if (name.endsWith('$')) throw error
        return Promise.reject(error)
      }
      const isPlainStore = '~source' in definition && Object.keys(definition.endpoint?.places ?? {}).length === 0
      return isPlainStore ? bound() : bound
    }
    return [name, binding]
  })
}
