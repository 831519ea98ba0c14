import { DEV } from '../../core/dev'
import { AuthError } from '../../errors/auth-error'
import { coreOf } from '../../store/core'
import type { Kit } from '../../store/kit'

/** Throws EXPECTED_INTERNAL_PROJECT for a kit of another project. */
export function assertInternal(kit: Kit): void {
  const { projectId } = coreOf(kit).transport.config
  if (projectId === 'internal') return
  throw new AuthError(
    'EXPECTED_INTERNAL_PROJECT',
    DEV
      ? `projects are owned by users of the project "internal", and this kit is for the project "${projectId}"`
      : 'another project',
  )
}
