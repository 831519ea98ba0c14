import { Observable } from 'rxjs'
import { eitherOf } from '../core/either-signal'
import { failed } from '../core/result'
import type { Result } from '../core/result'
import { unlessAborted } from '../errors/abort'
import { AuthError, invalidInput, toAuthError } from '../errors/auth-error'
import type { AuthErrorOf } from '../errors/auth-error'
import type { Identity } from '../session/identity'
import { coreOf, slot } from '../store/kit'
import type { Core, Kit } from '../store/kit'
import type { CallOptions } from '../store/mutation'
import { isRefusedWith } from '../store/refusals'
import { call, checkInput } from '../transport/call'
import { completeCliLogin as complete } from './cli-endpoints'
import type { CliLoginInput } from './cli-input'
import { logIn } from './cli-polling'
import type { CliLoginError, CliWaiting } from './cli-polling'

/**
 * How the login of a program goes: `starting`, `waiting` for a person, then one of the others, which is the last.
 *
 * @example
 * const isOver = (login: CliLogin) => login.step !== 'starting' && login.step !== 'waiting'
 */
export type CliLogin =
  | { readonly step: 'starting' }
  | CliWaiting
  /** The token store of the kit holds the refresh token: whoever has completed the login is signed in here, too. */
  | { readonly step: 'done' }
  | { readonly step: 'expired'; readonly error: AuthErrorOf<'CLI_AUTH_EXPIRED_ERROR'> }
  | { readonly step: 'used'; readonly error: AuthErrorOf<'CLI_AUTH_USED_ERROR'> }
  | { readonly step: 'failed'; readonly error: AuthErrorOf<'CLI_AUTH_ERROR'> }

/**
 * Signs in a program that has no browser of its own: somebody opens `url`, signs in there and approves.
 *
 * Each subscription is a login of its own; unsubscribing stops it at once. A poll that fails is shown as `error` while
 * `waiting`, and the next one comes all the same. Errors with what no poll can cure, and with NETWORK_ERROR and the like if
 * the login cannot even begin.
 *
 * @example
 * app.cliLogin$({ appUrl: 'https://app.example.com' }).subscribe(login => {
 *   if (login.step === 'waiting') console.log(`Open ${login.url}`)
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
        tell(result.ok ? { step: 'done' } : stateOf(result.error))
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
      return { step: 'expired', error }
    case 'CLI_AUTH_USED_ERROR':
      return { step: 'used', error }
    case 'CLI_AUTH_ERROR':
      return { step: 'failed', error }
  }
}

/**
 * `cliLogin$` as a promise. `promptLink` shows the address to the person; by default it is printed to the terminal's error
 * output. What it throws ends the login with CALLBACK_FAILED, since nobody would know where to go.
 *
 * The refresh token is in the kit's token store already; it is given for programs that keep it somewhere else. It is as good
 * as a password.
 *
 * @example
 * const result = await app.promptCliLogin({ appUrl: 'https://app.example.com' })
 * if (result.ok) console.log('Signed in.')
 */
export async function promptCliLogin(
  kit: Kit,
  input: CliLoginInput & {
    readonly promptLink?: (url: string, login: { readonly loginCode: string; readonly expiresAt: Date }) => unknown
  },
  options: CallOptions = {},
): Promise<Result<{ readonly refreshToken: string }, CliLoginError>> {
  const { promptLink = print, ...login } = input
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
      if (state.step === 'waiting')
        prompt(state).catch((cause: unknown) => {
          prompting.abort(toAuthError(cause))
        })
    })
  } finally {
    release()
  }
}

function print(url: string): void {
  // eslint-disable-next-line no-console -- there is a terminal and nothing else; what the program answers goes to stdout
  console.error(`To sign in, open this address in a browser:\n${url}`)
}

/** A session being handed over, or handed over already: the same for everybody who asks for the same one. */
interface Handover {
  readonly owner: Identity
  readonly done: Promise<Result<void, AuthErrorOf<'SCHEMA_ERROR'>>>
  /** Calls it off. */
  readonly cancel: () => void
  callers: number
}

const handoversKey = {}

/**
 * Approves the login of a program, on the page that its address leads to: hands the refresh token of the present session to
 * the program that has made `loginCode`. Both share one session from then on, so signing out of either ends both. Call it
 * when a person has pressed a button that says so, and never before: anybody can send such a link.
 *
 * Asked twice, it sends once. SCHEMA_ERROR is returned if the code is unknown, has expired or has been completed already.
 * Throws USER_AUTHENTICATION_REQUIRED while signed out.
 *
 * @example
 * const loginCode = new URLSearchParams(location.search).get('login_code') ?? ''
 * const result = await app.completeCliLogin({ loginCode })
 */
export async function completeCliLogin(
  kit: Kit,
  { loginCode }: { readonly loginCode: string },
  { signal }: CallOptions = {},
): Promise<Result<void, AuthErrorOf<'SCHEMA_ERROR'>>> {
  const core = coreOf(kit)
  const { session } = core
  core.assertAlive()
  if (typeof loginCode !== 'string' || loginCode === '')
    throw invalidInput('loginCode', 'is missing; it is login_code in the address that the program shows')
  const owner = await unlessAborted(session.capture(), signal)
  // Tells whether the session still works, and brings it up to date.
  await session.current(undefined, signal)
  const { tokens } = session
  if (!tokens)
    throw new AuthError(
      'USER_AUTHENTICATION_REQUIRED',
      'nobody is signed in here whose session the program could be given; sign in first',
    )
  session.assertPresent(owner)
  const { refreshToken } = tokens
  if (refreshToken === null)
    throw new AuthError(
      'TOKENS_UNAVAILABLE',
      'this session has no refresh token that the program could be given; sign out, and sign in again',
    )
  const handovers = slot(kit, handoversKey, () => new Map<string, Handover>())
  let handover = handovers.get(loginCode)
  // What somebody else has approved here is not approved by the one who is signed in now.
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
  owner: Identity,
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
      // What the platform refuses without a code is the login code: the session has just been found good.
      if (!isRefusedWith(cause, [400])) throw cause
      const message = 'the login code is unknown, has expired or has been used; start the login again in the program'
      return failed(new AuthError('SCHEMA_ERROR', message, { status: 400, details: { message }, cause }))
    } finally {
      release()
    }
  }
  const cancel = () => {
    if (isDone) return
    // At once, so that nobody joins what is being called off, or has failed.
    if (handovers.get(loginCode) === handover) handovers.delete(loginCode)
    controller.abort()
  }
  const handover: Handover = { owner, done: run(), cancel, callers: 0 }
  handovers.set(loginCode, handover)
  return handover
}
