import { DEV } from '../core/dev'
import { learnName } from '../core/names'
import { misuse } from '../errors/auth-error'
import type { Kit } from '../store/kit'
import { tellCall } from '../store/kit-parts'
import type { Query } from '../store/definition'
import type { Store } from '../store/store'
import { watchResult } from '../store/write/unread-result'

type BoundQuery<I, O> = keyof I extends never ? Store<O> : {} extends I ? (args?: I) => Store<O> : (args: I) => Store<O>

/** The definitions in a module, which also exports schemas. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any access level, and whatever a definition takes
type ModuleDefinitions<D> = { [K in keyof D]: D[K] extends (kit: any, ...rest: any[]) => unknown ? K : never }[keyof D]

/** Definitions without their kit. None is overloaded or generic, because binding keeps only the last overload. */
export type Bound<D> = BoundEach<Pick<D, ModuleDefinitions<D>>>

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

interface MemberDefinition {
  (kit: Kit<never>, ...rest: unknown[]): unknown
  readonly endpoint?: { readonly places: object } | undefined
}

/** A member of an app: its name, and what makes it of the app's kit. */
export type AppMember = readonly [name: string, make: (kit: Kit) => unknown]

/** The kit with each definition of a module bound to it. */
export function bind<K extends Kit<never>, D extends object>(kit: K, module: D): K & Bound<D> {
  // Bound as the type says, which the loop cannot express.
  return withMembers(kit, bindings(module)) as K & Bound<D>
}

/** Stores are inert handles, so that those without arguments are created at once. */
export function withMembers<K extends Kit<never>>(kit: K, members: readonly AppMember[]): K {
  const app = kit as Kit<never> as Kit & Record<string, unknown>
  for (const [name, make] of members) app[name] = make(app)
  return kit
}

/** The members of each module, which all apps share. */
const known = new WeakMap<object, readonly AppMember[]>()

/** The definitions of a module as members of an app. */
export function bindings(module: object): readonly AppMember[] {
  let members = known.get(module)
  if (!members) known.set(module, (members = membersOf(module)))
  return members
}

function membersOf(module: object): readonly AppMember[] {
  const definitions = Object.entries(module).filter(
    (entry): entry is [string, MemberDefinition] => typeof entry[1] === 'function',
  )
  return definitions.map(([name, definition]) => {
    learnName(name, definition)
    // Stores and writes tell of themselves, also those that no app has as a member.
    const isPlain = !('~source' in definition) && !definition.endpoint
    const make = (kit: Kit) => {
      const bound = (...rest: unknown[]) => {
        // A function's length leaves out the inputs with a default, which stands in for undefined alone.
        const isNull = isPlain && rest.slice(definition.length - 1).includes(null)
        const kind = isNull ? 'null' : typeof rest[0]
        const isText = kind === 'string' || kind === 'number'
        // The first argument of redirectTo is the name of a page.
        if (!isNull && (!isText || name === 'redirectTo')) {
          if (isPlain) tellCall(kit, name, ...rest)
          const returned = definition(kit, ...rest)
          // The promise of a callback page is one for all its calls.
          return DEV && returned instanceof Promise && name !== 'handleOAuthCallback'
            ? returned.then((result: unknown) => watchResult(kit, name, result))
            : returned
        }
        const error = misuse(
          'input',
          `of ${name}() is one object of named values, not the ${kind} given`,
          `of ${name}()`,
        )
        if (name.endsWith('$')) throw error
        return Promise.reject(error)
      }
      const isPlainStore = '~source' in definition && Object.keys(definition.endpoint?.places ?? {}).length === 0
      return isPlainStore ? bound() : bound
    }
    return [name, make]
  })
}
