import * as client from '../kit/client-members'
import * as accounts from '../entities/connected-accounts/client'
import * as channels from '../entities/contact-channels/client'
import * as projects from '../entities/projects/client-owned'
import { logIn } from '../sign-in/cli/polling'
import type { CliLoginInput } from '../sign-in/cli/input'
import type { PendingOAuth } from '../sign-in/oauth/cookie'
import { finishOAuth, type Arrived } from '../sign-in/oauth/finish'
import { browserPasskeys } from '../sign-in/passkey/authenticator'
import { passkeyFactor } from '../sign-in/passkey/passkey'
import { secondFactor } from '../sign-in/second-factor'
import { orUndefined } from '../core/values'
import type { FailCode } from '../errors/codes'
import { checkInput } from '../transport/call'
import type { Access, Endpoint } from '../transport/endpoint'
import type { Kit } from '../store/kit'
import type { Query } from '../store/definition'
import type { CallOptions } from '../store/write/effects'
import type { KitStore } from '../store/store'
import type { Source } from '../store/source'

/** Whatever an app can do by a name. */
type CallableDefinition = ((kit: Kit, ...given: unknown[]) => unknown) & {
  readonly endpoint?: Endpoint<Access, object, unknown, FailCode>
  readonly '~source'?: Source
}

type Opens = ((kit: Kit, input: object) => KitStore<unknown>) & Pick<Query<'client', object, unknown>, '~source'>

const all = [accounts, channels, projects, client]
  .flatMap(module => Object.entries(module) as [string, unknown][])
  .filter((entry): entry is [string, CallableDefinition] => typeof entry[1] === 'function')

/** The queries with their names, by the keys of their sources. */
const queries = new Map(all.flatMap(entry => (entry[1]['~source'] ? [[entry[1]['~source'].key, entry] as const] : [])))
/** Writes of no member of an app are made by the call that they belong to. */
const writes = all
  .sort(([one], [other]) => (one < other ? -1 : 1))
  .flatMap(([, write]) => (write.endpoint && !write['~source'] ? [{ write, endpoint: write.endpoint }] : []))

/** Members that go to a page of the app, and those of which only the steps are played: a part of their input is no JSON. */
const unplayed =
  /^(?:redirectTo|navigateAfterAuth|handleOAuthCallback|signInWithPasskey|signInWithSaved|continueSignIn)$|\$$/

/** Steps of calls, as the kit tells of them. A part that a recording does not have gets another value, which no decision depends on. */
const steps: Readonly<Record<string, (kit: Kit, ...given: never[]) => unknown>> = {
  enableTotp: (kit, input: { readonly totp: string }, options?: CallOptions) =>
    client.enableTotp(kit, { ...input, secret: new Uint8Array(20) }, options),
  finishOAuth: (kit, { code, error, ...pending }: Partial<PendingOAuth> & Arrived) =>
    finishOAuth(
      kit,
      { verifier: '', redirectUri: page, returnTo: null, linkUserId: null, isPopup: false, ...pending },
      error ? { error } : { code: code ?? '' },
    ),
  logIn: (
    kit,
    input: CliLoginInput,
    { signal = new AbortController().signal }: { readonly signal?: AbortSignal } = {},
  ) => logIn(kit, input, signal, () => undefined),
  passkeyFactor: (kit, options?: CallOptions) =>
    passkeyFactor(kit, browserPasskeys, { hostname: 'localhost', origin: page }, options),
  secondFactor: (kit, { code, totp }: { readonly code: string; readonly totp: string }) =>
    secondFactor(kit, { code, returnTo: null }, totp),
}

/** The page of the app that plays. */
export const page = 'https://app.invalid/callback'

/** The query with this key of its source. */
export function queryOf(key: string): Opens | undefined {
  // A client's queries take only the kit and the input.
  return queries.get(key)?.[1] as Opens | undefined
}

/** The write of this route with this input. A few share a route: one of them then completes its input by itself. */
export function writeOf(route: string, input: object): CallableDefinition | undefined {
  const found = writes.filter(
    ({ endpoint }) => endpoint.route === route && Object.keys(input).every(name => name in endpoint.places),
  )
  const complete = found.filter(({ endpoint }) => orUndefined(() => checkInput(endpoint, input)) !== undefined)
  return (complete.at(-1) ?? found[0])?.write
}

/** The member of an app that is called by this name; undefined: it is not played. */
export function callOf(name: string): CallableDefinition | undefined {
  // A recording has what the call was given.
  const step = steps[name] as CallableDefinition | undefined
  return unplayed.test(name) ? undefined : (step ?? all.find(([each]) => each === name)?.[1])
}

/** A store of an event, by the name that it has in an app: `teams$`, `team$ {"teamId":"…"}`. */
export function shownName(part: string): string {
  const at = part.indexOf(' {')
  const [key, input] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at)]
  return `${queries.get(key)?.[0] ?? key}${input === ' {}' ? '' : input}`
}
