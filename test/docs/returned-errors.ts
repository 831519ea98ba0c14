import { compilePrograms } from './programs'

/** In place of the code of an error that has none. */
const codeless = 'without code'

/** The failures that each method of an app, and each login of a program, may return, by its type, and the kit's own codes. */
const question = `
  import type * as rxauth from 'rxauth'
  import type { AuthError, ClientApp, LocalCode, Result } from 'rxauth'
  import type { AdminApp } from 'rxauth/admin'
  import type { ServerApp } from 'rxauth/server'
  import type { Observable } from 'rxjs'
  type Code<E> = E extends { readonly code: infer C } ? C : '${codeless}'
  type CodeOf<R> = R extends { readonly ok: false; readonly error: infer E } ? Code<E> : InnerCodeOf<R>
  type InnerCodeOf<R> = R extends { readonly result: infer I } ? CodeOf<I> : StateCodeOf<R>
  // Trouble on the way is a state that passes; a step that is called after its failure is the end.
  type StateCodeOf<R> = R extends { readonly status: 'expired' | 'used' | 'failed'; readonly error: infer E } ? Code<E> : never
  type Given<T> = T extends (...input: never[]) => infer R ? R : T
  type Told<T> = Given<T> extends Promise<infer R> ? R : Given<T> extends Observable<infer R> ? R : never
  // Functions of a kit that no app has as methods.
  type Client = ClientApp & Pick<typeof rxauth, 'cliLogin$' | 'promptCliLogin'>
  export type Returned = { readonly [K in keyof Client]-?: CodeOf<Told<Client[K]>> }
  export type ReturnedToServers = { readonly [K in Exclude<keyof ServerApp, keyof ClientApp>]-?: CodeOf<Told<ServerApp[K]>> }
  export type ReturnedToAdmins = { readonly [K in Exclude<keyof AdminApp, keyof ServerApp>]-?: CodeOf<Told<AdminApp[K]>> }
  export type Local = { readonly local: LocalCode }
`

/**
 * The codes by method, sorted; methods that return no failure, or every failure, are left out. Throws for a method that returns
 * an error without `code`.
 */
export function returnedErrors(): {
  readonly returned: ReadonlyMap<string, string>
  readonly returnedToServers: ReadonlyMap<string, string>
  readonly returnedToAdmins: ReadonlyMap<string, string>
  readonly local: readonly string[]
} {
  const [{ errors, unions }] = compilePrograms({
    texts: { 'question.ts': question },
    unions: ['Returned', 'ReturnedToServers', 'ReturnedToAdmins', 'Local'],
  })
  if (errors['question.ts']) throw new Error(errors['question.ts'])
  const membersOf = (name: string) => {
    const members = unions[name]!
    const withoutCode = members.find(([, codes]) => codes.includes(codeless))
    if (withoutCode) throw new Error(`${withoutCode[0]} returns an error without a code`)
    return members
  }
  // A flow may fail with every code, and every method is one of its steps.
  const telling = (name: string) =>
    new Map(
      membersOf(name)
        .filter(([method, codes]) => codes.length > 0 && method !== 'flow$')
        .map(([method, codes]) => [method, codes.join(' ')]),
    )
  return {
    returned: telling('Returned'),
    returnedToServers: telling('ReturnedToServers'),
    returnedToAdmins: telling('ReturnedToAdmins'),
    local: membersOf('Local')[0]![1],
  }
}
