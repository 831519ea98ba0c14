// Compiled, never run: the login of a program in its caller's code.
import { cliLogin$, promptCliLogin } from 'rxauth'
import type { AuthErrorOf, ClientApp, CliLogin, CliLoginError, completeCliLogin, Result } from 'rxauth'
import type { Observable } from 'rxjs'
import type { Equal, Expect } from './equal'

declare const app: ClientApp
declare function show(value: unknown): void

export type Pinned = [
  Expect<Equal<ReturnType<typeof cliLogin$>, Observable<CliLogin>>>,
  Expect<Equal<Extract<keyof ClientApp, `${string}liLogin${string}`>, 'completeCliLogin'>>,
  Expect<Equal<ReturnType<typeof promptCliLogin>, Promise<Result<{ readonly refreshToken: string }, CliLoginError>>>>,
  Expect<Equal<CliLoginError['code'], 'CLI_AUTH_ERROR' | 'CLI_AUTH_EXPIRED_ERROR' | 'CLI_AUTH_USED_ERROR'>>,
  Expect<Equal<ReturnType<typeof completeCliLogin>, Promise<Result<void, AuthErrorOf<'SCHEMA_ERROR'>>>>>,
  Expect<Equal<CliLogin['status'], 'starting' | 'waiting' | 'done' | 'expired' | 'used' | 'failed'>>,
]

export function shows(login: CliLogin): string {
  // @ts-expect-error the login is not waiting yet, or any more
  show(login.url)
  switch (login.status) {
    case 'starting':
      return 'One moment …'
    case 'waiting':
      return login.error?.message ?? `${login.url} until ${login.expiresAt.toISOString()}`
    case 'done':
      return 'You are signed in.'
    case 'expired':
    case 'used':
    case 'failed':
      return login.error.message
    default:
      return login satisfies never
  }
}

// @ts-expect-error appUrl is required
cliLogin$(app)
// @ts-expect-error appUrl is required
void promptCliLogin(app, {})
// @ts-expect-error loginCode is required
void app.completeCliLogin()
