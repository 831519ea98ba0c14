import * as client from '../kit/client-members'
import * as accounts from '../entities/connected-accounts/client'
import * as channels from '../entities/contact-channels/client'
import * as projects from '../entities/projects/client-owned'
import type { Source } from '../store/source'

/** The exported name of each store of the platform's for clients, by the key of its source. An app has those of `client`. */
const names = new Map(
  [accounts, channels, projects, client]
    .flatMap(module => Object.entries(module) as [string, { readonly '~source'?: Source }][])
    .flatMap(([name, definition]) => (definition['~source'] ? [[definition['~source'].key, name] as const] : [])),
)

/** A part of an end, or a store of an event, by the name that the store has in an app: `teams$`, `team$ {"teamId":"…"}`. */
export function shownName(part: string): string {
  const at = part.indexOf(' {')
  const [key, input] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at)]
  return `${names.get(key) ?? key}${input === ' {}' ? '' : input}`
}
