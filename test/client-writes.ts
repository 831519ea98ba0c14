import * as owned from '../src/entities/projects/client-owned'
import * as client from '../src/kit/client-members'
import type { ClientApp } from 'rxauth'
import type { DeclaredEndpoint } from './declared-endpoints'
import { sampleInput } from './sample-input'

export interface ClientWrite {
  readonly name: string
  readonly ownedBy: 'app' | 'session'
  readonly call: (app: ClientApp, signal?: AbortSignal) => Promise<unknown>
}

type Call = (...given: unknown[]) => Promise<unknown>

/** Every write of a client app over an endpoint, those of owned projects included, with a well-formed input. */
export function clientWrites(): readonly ClientWrite[] {
  return Object.entries({ ...client, ...owned }).flatMap(([name, definition]) => {
    const { endpoint } = definition as { readonly endpoint?: DeclaredEndpoint }
    if (!endpoint || '~source' in definition) return []
    const input = sampleInput(endpoint)
    const args = Object.keys(input).length > 0 ? [input] : []
    const call = (app: ClientApp, signal?: AbortSignal) => {
      const given = [...args, ...(signal ? [{ signal }] : [])]
      return name in client
        ? (app[name as 'signOut'] as Call)(...given)
        : (definition as unknown as Call)(app, ...given)
    }
    return [{ name, ownedBy: endpoint.ownedBy, call }]
  })
}
