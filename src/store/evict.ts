import type { AnyAuthError } from '../errors/auth-error'
import { coreOf } from './kit'
import type { Kit } from './kit'

/** Drops every value of the kit: a watched store loads anew. Loads under way reject with `reason`. */
export function evictAll(kit: Kit<never>, reason: AnyAuthError): void {
  const { commits, cells } = coreOf(kit)
  commits.run('evicted', () => {
    for (const cell of [...cells]) cell.reset(reason)
  })
}
