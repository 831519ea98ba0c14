import type { AnyAuthError } from '../errors/auth-error'
import { coreOf } from './core'
import type { Kit } from './kit'

/** Evicts every value of the kit; watched stores load again. Loads under way reject with `reason`. */
export function evictAll(kit: Kit<never>, reason: AnyAuthError): void {
  const { commits, cells } = coreOf(kit)
  commits.run('evicted', () => {
    for (const cell of [...cells]) cell.reset(reason)
  })
}
