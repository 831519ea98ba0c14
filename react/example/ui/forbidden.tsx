import { LockClosedIcon } from '@heroicons/react/24/outline'
import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'

/** Shown instead of data that the user has no permission to see. */
export function Forbidden(): ReactNode {
  return (
    <Alert color="gray" role="status" icon={<LockClosedIcon />}>
      You do not have the right to see this.
    </Alert>
  )
}
