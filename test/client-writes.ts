import * as client from '../src/kit/client-definitions'
import type { ClientApp } from 'rxauth'
import type { DeclaredEndpoint } from './declared-endpoints'
import { sampleInput } from './sample-input'

export interface ClientWrite {
  readonly name: string
  readonly ownedBy: 'app' | 'session'
  readonly call: (app: ClientApp, signal?: AbortSignal) => Promise<unknown>
}

/** Every write of a client app over an endpoint, with a well-formed input. */
export function clientWrites(): readonly ClientWrite[] {
  return Object.entries(client).flatMap(([name, definition]) => {
    const { endpoint } = definition as { readonly endpoint?: DeclaredEndpoint }
    if (!endpoint || '~source' in definition) return []
    const input = sampleInput(endpoint)
    const args = Object.keys(input).length > 0 ? [input] : []
    const method = (app: ClientApp) => app[name as 'signOut'] as (...given: unknown[]) => Promise<unknown>
    const call = (app: ClientApp, signal?: AbortSignal) => method(app)(...args, ...(signal ? [{ signal }] : []))
    return [{ name, ownedBy: endpoint.ownedBy, call }]
  })
}
