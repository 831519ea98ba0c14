// Compiled, never run: what a caller may and may not write.
import type {
  AnyAuthError,
  AuthErrorOf,
  ClientApp,
  CurrentUser,
  ErrorDetails,
  Kit,
  Result,
  SignedIn,
  Store,
} from 'rxauth'
import type { signUpWithPassword, user$ } from 'rxauth'
import { isAuthError, orThrow, signInWithPassword, updateUser } from 'rxauth'
import type { AdminApp } from 'rxauth/admin'
import type { ServerApp } from 'rxauth/server'
import type { Observable } from 'rxjs'
import type { Equal, Expect } from './equal'

declare const kit: Kit
declare const app: ClientApp
declare function show(value: unknown): void

export type Pinned = [
  Expect<
    Equal<
      ReturnType<typeof signInWithPassword>,
      Promise<Result<SignedIn, AuthErrorOf<'EMAIL_PASSWORD_MISMATCH' | 'MULTI_FACTOR_AUTHENTICATION_REQUIRED'>>>
    >
  >,
  Expect<
    Equal<
      ReturnType<typeof signUpWithPassword>,
      Promise<
        Result<
          SignedIn,
          AuthErrorOf<
            | 'USER_EMAIL_ALREADY_EXISTS'
            | 'PASSWORD_TOO_SHORT'
            | 'PASSWORD_TOO_LONG'
            | 'PASSWORD_REQUIREMENTS_NOT_MET'
            | 'INVALID_INPUT'
            | 'SIGN_UP_REJECTED'
            | 'BOT_CHALLENGE_REQUIRED'
            | 'BOT_CHALLENGE_FAILED'
          >
        >
      >
    >
  >,
  // Nothing is expected to fail, so there is no result to look into.
  Expect<Equal<ReturnType<typeof updateUser>, Promise<CurrentUser>>>,
  Expect<Equal<ReturnType<ClientApp['deleteUser']>, Promise<void>>>,
  Expect<Equal<ReturnType<typeof user$>, Store<CurrentUser | null>>>,
  Expect<Equal<ClientApp['user$'], Store<CurrentUser | null>>>,
  Expect<Equal<SignedIn, { readonly userId: string; readonly isNewUser: boolean; readonly next: string }>>,
]

type Told<T> = T extends (...input: never[]) => infer R
  ? Told<R>
  : T extends Promise<infer R> | Observable<infer R>
    ? R
    : never
type Failure<R> = R extends { readonly ok: false; readonly error: infer E }
  ? E
  : R extends { readonly result: infer I }
    ? Failure<I>
    : never
/** The methods with a failure that has no `code`. */
type Codeless<App> = {
  [K in keyof App]-?: Failure<Told<App[K]>> extends { readonly code: string } ? never : K
}[keyof App]

interface Probes {
  coded(): Promise<Result<void, AuthErrorOf<'INVALID_INPUT'>>>
  bare(): Promise<Result<void, Error>>
  either(): Promise<Result<void, Error | AuthErrorOf<'INVALID_INPUT'>>>
  withInput(input: string): Promise<{ readonly result: Result<string, Error> }>
}

// Every failure that is returned has a code to switch over.
export type Coded = [
  Expect<Equal<Codeless<ClientApp>, never>>,
  Expect<Equal<Codeless<ServerApp>, never>>,
  Expect<Equal<Codeless<AdminApp>, never>>,
  Expect<Equal<Codeless<Probes>, 'bare' | 'either' | 'withInput'>>,
]

export async function narrows(): Promise<string> {
  const result = await signInWithPassword(kit, { email: 'a', password: 'b' })
  // @ts-expect-error it may have failed
  show(result.value)
  if (result.ok) return result.value.userId
  // @ts-expect-error there is no value in a failure
  show(result.value)
  // @ts-expect-error only one of the two errors has it
  show(result.error.details.attemptCode)
  switch (result.error.code) {
    case 'MULTI_FACTOR_AUTHENTICATION_REQUIRED':
      return result.error.details.attemptCode
    case 'EMAIL_PASSWORD_MISMATCH':
      return ''
    // @ts-expect-error this sign-in never fails so
    case 'PASSWORD_TOO_SHORT':
      return ''
    default:
      return result.error satisfies never
  }
}

export async function isComplete(): Promise<number | undefined> {
  const result = await app.signUpWithPassword({ email: 'a', password: 'b' })
  show(orThrow(result) satisfies SignedIn)
  if (result.ok) return undefined
  return result.error.code === 'PASSWORD_TOO_SHORT' ? result.error.details.minLength : undefined
}

export function families(error: AnyAuthError): Date | null | undefined {
  if (error.code === 'ACCESS_TOKEN_EXPIRED') return error.details.expiredAt
  if (error.code === 'RATE_LIMITED') return error.details.retryAt
  // @ts-expect-error no such code
  if (error.code === 'EXPIRED') return null
  // @ts-expect-error no such code
  isAuthError(error, 'EXPIRED')
  const details: ErrorDetails['INVALID_INPUT'] = { field: 'email', reason: 'is missing' }
  return details.field === '' ? null : undefined
}

// @ts-expect-error the password is missing
void signInWithPassword(kit, { email: 'a' })
// @ts-expect-error there is no such field
void updateUser(kit, { displayname: 'Ada' })
// @ts-expect-error a number is no name
void updateUser(kit, { displayName: 7 })
// @ts-expect-error the kit comes first
void updateUser({ displayName: 'Ada' })
// @ts-expect-error options are an object
void app.signOut(new AbortController().signal)
