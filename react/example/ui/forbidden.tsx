import { LockClosedIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import { Alert } from './alert'

/** Shown instead of data that the user has no permission to see. */
export function Forbidden(): ReactNode {
  return (
    <Alert role="status" icon={<LockClosedIcon />}>
      You do not have permission to see this.
    </Alert>
  )
}
