import { Observable } from 'rxjs'
import { abortWith, eitherOf } from '../../core/signals'
import { failed, type Result } from '../../core/result'
import { unlessAborted, toAuthError, given, developerError, type AuthErrorOf } from '../../errors/auth-error'
import { captureToWrite } from '../../store/write/write'
import type { Owner } from '../../transport/access-token'
import { coreOf, slot, type Core, type Kit } from '../../store/kit-parts'
import type { CallOptions } from '../../store/write/effects'
import { call, checkInput } from '../../transport/call'
import { completeCliLogin as complete, loginCodeOf, uselessLoginCode, type CliLoginInput } from './input'
import { logIn, type CliLoginError, type CliWaiting } from './polling'

/** The states of a program's login: `starting`, `waiting` for the user, then one of the others, which is the last. */
export type CliLogin =
  | { readonly status: 'starting' }
  | CliWaiting
  /** The kit's token store holds the refresh token: the user who completed the login is signed in here too. */
  | { readonly status: 'done' }
  | { readonly status: 'expired'; readonly error: AuthErrorOf<'CLI_AUTH_EXPIRED_ERROR'> }
  | { readonly status: 'used'; readonly error: AuthErrorOf<'CLI_AUTH_USED_ERROR'> }
  | { readonly status: 'failed'; readonly error: AuthErrorOf<'CLI_AUTH_ERROR'> }

/**
 * Signs in a program without a browser: the user opens `url` in one, signs in there and approves.
 *
 * Each subscription is a login of its own; unsubscribing stops it at once. A poll that fails sets `error` while `waiting`,
 * and polling continues. The observable errors with failures that polling cannot mend, and with NETWORK_ERROR and the like
 * if the login cannot begin.
 *
 * @example
 * cliLogin$(app, { appUrl: 'https://app.example.com' }).subscribe(login => {
 *   if (login.status === 'waiting') console.log(`Open ${login.url}`)
 * })
 */
export function cliLogin$(kit: Kit, input: CliLoginInput): Observable<CliLogin> {
  return new Observable(subscriber => {
    const controller = new AbortController()
    subscriber.add(() => {
      controller.abort()
    })
    const tell = (state: CliLogin) => {
      subscriber.next(state)
    }
    logIn(kit, input, controller.signal, tell).then(
      result => {
        tell(result.ok ? { status: 'done' } : stateOf(result.error))
        subscriber.complete()
      },
      (error: unknown) => {
        subscriber.error(error)
      },
    )
  })
}

function stateOf(error: CliLoginError): CliLogin {
  switch (error.code) {
    case 'CLI_AUTH_EXPIRED_ERROR':
      return { status: 'expired', error }
    case 'CLI_AUTH_USED_ERROR':
      return { status: 'used', error }
    case 'CLI_AUTH_ERROR':
      return { status: 'failed', error }
  }
}

/**
 * `cliLogin$` as a promise. `promptLink` shows the URL to the user; by default it is printed to stderr. If it throws, the
 * login ends with CALLBACK_FAILED, since the user would not see the URL.
 *
 * The kit's token store holds the refresh token already; it is returned for programs that store it elsewhere. Protect it
 * like a password.
 *
 * If the kit's user is anonymous, on newer releases, the page may take that user over with `claimCliSession`, so that a
 * sign-up there keeps what the user did here.
 *
 * @example
 * const result = await promptCliLogin(app, { appUrl: 'https://app.example.com' })
 * if (result.ok) console.log('Signed in.')
 */
export async function promptCliLogin(
  kit: Kit,
  input: CliLoginInput & {
    readonly promptLink?: (url: string, login: { readonly loginCode: string; readonly expiresAt: Date }) => unknown
  },
  options: CallOptions = {},
): Promise<Result<{ readonly refreshToken: string }, CliLoginError>> {
  const { promptLink = print, ...login } = given(input)
  const prompting = new AbortController()
  const { signal, release } = eitherOf(prompting.signal, options.signal)
  let isPrompted = false
  const prompt = async ({ url, loginCode, expiresAt }: CliWaiting) => {
    if (isPrompted) return
    isPrompted = true
    await promptLink(url, { loginCode, expiresAt })
  }
  try {
    return await logIn(kit, login, signal, state => {
      if (state.status === 'waiting')
        prompt(state).catch((cause: unknown) => {
          abortWith(prompting, toAuthError(cause))
        })
    })
  } finally {
    release()
  }
}

function print(url: string): void {
  // eslint-disable-next-line no-console -- the only place for it: stdout is for the program's output
  console.error(`To sign in, open this address in a browser:\n${url}`)
}

/** A session being handed over to a program; calls with the same code share it. */
interface Handover {
  readonly owner: Owner
  readonly done: Promise<Result<void, AuthErrorOf<'SCHEMA_ERROR'>>>
  /** Cancels the handover. */
  readonly cancel: () => void
  callers: number
}

const handoversKey = {}

/**
 * Approves the login of a program, on the page of its URL: gives the refresh token of the present session to the program
 * that created `loginCode`. Both share one session from then on, so signing out of either ends both. Call it only when the
 * user presses a button that says so: anyone can send such a link.
 *
 * Repeated calls send once. SCHEMA_ERROR is returned if the code is unknown, has expired or was used. Throws
 * USER_AUTHENTICATION_REQUIRED while signed out.
 *
 * @example
 * const loginCode = new URLSearchParams(location.search).get('login_code') ?? ''
 * const result = await app.completeCliLogin({ loginCode })
 */
export async function completeCliLogin(
  kit: Kit,
  input: { readonly loginCode: string },
  { signal }: CallOptions = {},
): Promise<Result<void, AuthErrorOf<'SCHEMA_ERROR'>>> {
  const core = coreOf(kit)
  const { session } = core
  core.assertAlive()
  const loginCode = loginCodeOf(input)
  const { owner } = await unlessAborted(captureToWrite(session), signal)
  // Checks that the session still works, and refreshes it.
  await session.current(undefined, signal)
  const { tokens } = session
  if (!tokens)
    throw developerError(
      'USER_AUTHENTICATION_REQUIRED',
      'no user is signed in, so there is no session to share with the program; sign in first',
      { what: 'no user is signed in' },
    )
  session.assertPresent(owner)
  const { refreshToken } = tokens
  if (refreshToken === null)
    throw developerError(
      'TOKENS_UNAVAILABLE',
      'this session has no refresh token to share with the program; sign out, and sign in again',
    )
  const handovers = slot(kit, handoversKey, () => new Map<string, Handover>())
  let handover = handovers.get(loginCode)
  // An approval by another user is not one by the present user.
  if (handover?.owner !== owner) handover = begin(core, owner, { loginCode, refreshToken }, handovers)
  handover.callers++
  try {
    return await unlessAborted(handover.done, signal)
  } finally {
    if (--handover.callers === 0) handover.cancel()
  }
}

function begin(
  core: Core,
  owner: Owner,
  input: { readonly loginCode: string; readonly refreshToken: string },
  handovers: Map<string, Handover>,
): Handover {
  const { loginCode } = input
  const controller = new AbortController()
  const { signal, release } = eitherOf(core.session.ended, controller.signal)
  let isDone = false
  const run = async () => {
    try {
      const result = await call(core.transport, complete, checkInput(complete, input), { owner, signal, isWrite: true })
      isDone = result.ok
      return result
    } catch (cause) {
      // The session has just been checked.
      const error = uselessLoginCode(cause)
      if (!error) throw cause
      return failed(error)
    } finally {
      release()
    }
  }
  const cancel = () => {
    if (isDone) return
    // At once, so that no caller joins a handover that is cancelled or has failed.
    if (handovers.get(loginCode) === handover) handovers.delete(loginCode)
    controller.abort()
  }
  const handover: Handover = { owner, done: run(), cancel, callers: 0 }
  handovers.set(loginCode, handover)
  return handover
}
