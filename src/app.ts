import type { Observable } from 'rxjs'
import { signUpAnonymously } from './auth/anonymous'
import { cliLogin$, completeCliLogin, promptCliLogin } from './auth/cli'
import { continueSignIn } from './auth/continue-sign-in'
import { flow$ } from './auth/flow'
import type { FlowStore } from './auth/flow'
import { connectAccount, signInWithOAuth } from './auth/oauth'
import { connectedAccountToken } from './auth/oauth-account-token'
import { handleOAuthCallback } from './auth/oauth-callback'
import { connectAccountPopup, signInWithOAuthPopup } from './auth/oauth-popup'
import {
  checkEmailVerificationCode,
  sendContactChannelVerification,
  sendVerificationEmail,
  verifyEmail,
} from './auth/email-verification'
import { checkMagicLinkCode, sendMagicLinkEmail, signInWithMagicLink } from './auth/magic-link'
import { setPassword, signInWithPassword, signUpWithPassword, updatePassword } from './auth/password'
import { registerPasskey, signInWithPasskey } from './auth/passkey'
import { passkeyAutofill$ } from './auth/passkey-autofill'
import { checkPasswordResetCode, resetPassword, sendPasswordResetEmail } from './auth/password-reset'
import * as redirects from './auth/redirect-to-pages'
import { signOut } from './auth/sign-out'
import { accessToken, authHeaders, tokens$ } from './auth/tokens'
import { disableTotp, enableTotp, startTotpEnrolment } from './auth/totp'
import { derive } from './store/derive'
import type { Read } from './store/derive'
import { inspect, trace$ } from './store/inspect'
import { createKit } from './kit'
import type { ClientOptions } from './kit'
import { auth$ } from './resources/auth-state'
import type { AuthStore } from './resources/auth-state'
import { anyUser$, deleteUser, updateUser, user$ } from './resources/current-user'
import { project$ } from './resources/project'
import { revokeSession, sessions$ } from './resources/sessions'
import type { Query } from './store/definition'
import type { Kit } from './store/kit'
import type { Store } from './store/store'
import type { Tokens } from './transport/credentials'
import type { TraceEvent } from './transport/trace'

/** Every client definition that takes a kit; an app has each under the same name. */
const definitions = {
  anyUser$,
  user$,
  updateUser,
  deleteUser,
  sessions$,
  revokeSession,
  project$,
  signInWithPassword,
  signUpWithPassword,
  signInWithOAuth,
  signInWithOAuthPopup,
  handleOAuthCallback,
  connectAccount,
  connectAccountPopup,
  connectedAccountToken,
  updatePassword,
  setPassword,
  sendPasswordResetEmail,
  checkPasswordResetCode,
  resetPassword,
  sendVerificationEmail,
  sendContactChannelVerification,
  verifyEmail,
  checkEmailVerificationCode,
  sendMagicLinkEmail,
  signInWithMagicLink,
  checkMagicLinkCode,
  registerPasskey,
  signInWithPasskey,
  passkeyAutofill$,
  signUpAnonymously,
  continueSignIn,
  startTotpEnrolment,
  enableTotp,
  disableTotp,
  cliLogin$,
  promptCliLogin,
  completeCliLogin,
  signOut,
  ...redirects,
  accessToken,
  authHeaders,
  inspect,
}

type BoundQuery<I, O> = keyof I extends never ? Store<O> : {} extends I ? (args?: I) => Store<O> : (args: I) => Store<O>

/** Definitions without their kit. None is overloaded or generic, because binding keeps only the last overload. */
export type Bound<D> = {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- any access level, and whatever a definition takes
  readonly [K in keyof D]: D[K] extends Query<any, infer I, infer O>
    ? BoundQuery<I, O>
    : // eslint-disable-next-line @typescript-eslint/no-explicit-any -- see above
      D[K] extends (kit: any, ...rest: infer R) => infer O
      ? (...rest: R) => O
      : never
}

/** A client kit with every client definition bound to it. */
export interface ClientApp extends Kit<'client'>, Bound<typeof definitions> {
  readonly level: 'client'
  readonly auth$: AuthStore
  readonly flow$: FlowStore
  readonly tokens$: Observable<Tokens | null>
  readonly trace$: Observable<TraceEvent>
  /** A store computed from stores; never mixes two commits or two identities. */
  derive<T>(compute: (read: Read) => T): Store<T>
}

/** A kit with everything bound: `app.user$`, `app.signOut()`. Whoever counts bytes uses `createKit` and free functions. */
export function createClientApp(options: ClientOptions): ClientApp {
  const kit = createKit(options)
  return Object.assign(kit, bind(kit, definitions), {
    level: 'client' as const,
    auth$: auth$(kit),
    flow$: flow$(kit),
    tokens$: tokens$(kit),
    trace$: trace$(kit),
    derive: <T>(compute: (read: Read) => T) => derive(kit, compute),
  })
}

/** Gives each definition its kit. A store is an inert handle, so those without arguments are made at once. */
function bind<D extends Readonly<Record<string, BoundByName>>>(kit: Kit, all: D): Bound<D> {
  return Object.fromEntries(
    Object.entries(all).map(([name, definition]) => {
      const bound = (...rest: unknown[]) => (definition as (...args: unknown[]) => unknown)(kit, ...rest)
      const isPlainStore = '~source' in definition && Object.keys(definition.endpoint?.places ?? {}).length === 0
      return [name, isPlainStore ? bound() : bound]
    }),
    // Each entry is bound as Bound says; fromEntries cannot know.
  ) as Bound<D>
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any definition
type BoundByName = ((kit: Kit, ...rest: any[]) => unknown) & {
  readonly endpoint?: { readonly places: object } | undefined
}
