import type { ClientApp } from 'rxauth'
import type { AdminApp } from 'rxauth/admin'
import type { ServerApp } from 'rxauth/server'
import * as admin from '../src/entities/admin'
import * as server from '../src/entities/server'
import * as client from '../src/kit/client-members'

/** The members of an app that cannot be called without an input and do not declare it in an endpoint. */
type Needing<App, Declared> = Exclude<
  {
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever it takes
    [K in keyof App]-?: App[K] extends (...input: infer I) => any ? ([] extends I ? never : K) : never
  }[keyof App],
  { [K in keyof Declared]: 'endpoint' extends keyof Declared[K] ? K : never }[keyof Declared]
>

interface Input {
  readonly entries: Readonly<Record<string, { readonly type: string }>>
}

/** The definitions of a registry whose endpoint requires an input. */
function requiring(registry: object): string[] {
  const definitions = Object.entries(registry) as [string, { readonly endpoint?: { readonly input: Input } }][]
  return definitions.flatMap(([name, { endpoint }]) => {
    const fields = Object.values(endpoint?.input.entries ?? {})
    return fields.some(({ type }) => !type.endsWith('optional')) ? [name] : []
  })
}

/** Functions of `rxauth` that no app has as a method. */
export const kitCalls = ['cliLogin$', 'promptCliLogin', 'createOwnedProject'] as const

// The compiler holds the lists complete.
const clientMethods: Readonly<Record<Exclude<Needing<ClientApp, typeof client>, 'derive' | 'fetch'>, true>> = {
  completeCliLogin: true,
  continueSignIn: true,
  checkEmailVerificationCode: true,
  verifyEmail: true,
  checkMagicLinkCode: true,
  sendMagicLinkEmail: true,
  signInWithMagicLink: true,
  connectAccount: true,
  signInWithOAuth: true,
  connectedAccountToken: true,
  connectAccountPopup: true,
  signInWithOAuthPopup: true,
  setPassword: true,
  signInWithPassword: true,
  signUpWithPassword: true,
  updatePassword: true,
  checkPasswordResetCode: true,
  resetPassword: true,
  sendPasswordResetEmail: true,
  acceptOwnTeamInvitation: true,
  acceptTeamInvitation: true,
  checkTeamInvitationCode: true,
  teamInvitationDetails: true,
  enableTotp: true,
  redirectTo: true,
  navigateAfterAuth: true,
  whyApiKeyInvalid: true,
  can$: true,
  can: true,

  selectTeam: true,
  ownTeamProfile$: true,
}

const serverMethods: Readonly<
  Record<
    Exclude<
      Needing<ServerApp, typeof client & typeof server>,
      'withTokens' | 'verifyAccessToken' | keyof typeof clientMethods
    >,
    true
  >
> = {
  applyWebhook: true,
  isPermitted: true,
  checkTeamApiKey: true,
  checkUserApiKey: true,
}

/** Every method of an admin's app that has none. */
const adminMethods: Exclude<
  Needing<AdminApp, typeof client & typeof server & typeof admin>,
  Needing<ServerApp, typeof client & typeof server>
>[] = []

export const clientCalls: readonly string[] = [...Object.keys(clientMethods), ...requiring(client)]
/** Each field of a mail is optional, and a mail without any is refused. */
const refusedWhenEmpty = 'sendEmail'
export const serverCalls: readonly string[] = [...Object.keys(serverMethods), ...requiring(server), refusedWhenEmpty]
export const adminCalls: readonly string[] = [...adminMethods, ...requiring(admin)]
