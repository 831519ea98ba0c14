import * as client from '../kit/client-members'
import * as accounts from '../entities/connected-accounts/client'
import * as channels from '../entities/contact-channels/client'
import * as projects from '../entities/projects/client-owned'
import { verify } from '../sign-in/email-verification'
import { register, start, startRegistration } from '../sign-in/passkey/passkey'
import { orUndefined } from '../core/values'
import type { FailCode } from '../errors/codes'
import { checkInput } from '../transport/call'
import type { Access, Endpoint } from '../transport/endpoint'
import type { Kit } from '../store/kit'
import type { Query } from '../store/definition'
import type { KitStore } from '../store/store'
import type { Source } from '../store/source'

/** Whatever an app can do by a name. */
type CallableDefinition = ((kit: Kit, ...given: unknown[]) => unknown) & {
  readonly endpoint?: Endpoint<Access, object, unknown, FailCode>
  readonly '~source'?: Source
}

type WriteDefinition = CallableDefinition & Required<Pick<CallableDefinition, 'endpoint'>>

type Opens = ((kit: Kit, input: object) => KitStore<unknown>) & Pick<Query<'client', object, unknown>, '~source'>

const inner = [register, startRegistration, start, verify] as unknown as CallableDefinition[]

const all = [accounts, channels, projects, client]
  .flatMap(module => Object.entries(module) as [string, unknown][])
  .filter((entry): entry is [string, CallableDefinition] => typeof entry[1] === 'function')

/** The names of the stores, by the keys of their sources. */
const names = new Map(all.flatMap(([name, each]) => (each['~source'] ? [[each['~source'].key, name]] : [])))
const queries = new Map(all.flatMap(([, each]) => (each['~source'] ? [[each['~source'].key, each]] : [])))
const writes = [...all.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each), ...inner].filter(
  (each): each is WriteDefinition => each.endpoint !== undefined && !each['~source'],
)
/**
 * Ceremonies of a browser, ways to other pages, and what compares digits with a secret are not played; the requests and tokens that
 * they bring are.
 */
const unplayed =
  /OAuth|Popup|Passkey|passkey|Saved|connectAccount$|redirectTo|navigateAfterAuth|TotpEnrolment|enableTotp|\$$/

/** The query with this key of its source. */
export function queryOf(key: string): Opens | undefined {
  // A client's queries take only the kit and the input.
  return queries.get(key) as Opens | undefined
}

/** The write of this route with this input. A few share a route: one of them then completes its input by itself. */
export function writeOf(route: string, input: object): CallableDefinition | undefined {
  const found = writes.filter(
    ({ endpoint }) => endpoint.route === route && Object.keys(input).every(name => name in endpoint.places),
  )
  const complete = found.filter(({ endpoint }) => orUndefined(() => checkInput(endpoint, input)) !== undefined)
  return complete.at(-1) ?? found[0]
}

/** The member of an app that is called by this name; undefined: it is not played. */
export function callOf(name: string): CallableDefinition | undefined {
  return unplayed.test(name) ? undefined : all.find(([each]) => each === name)?.[1]
}

/** A store of an event, by the name that it has in an app: `teams$`, `team$ {"teamId":"…"}`. */
export function shownName(part: string): string {
  const at = part.indexOf(' {')
  const [key, input] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at)]
  return `${names.get(key) ?? key}${input === ' {}' ? '' : input}`
}
