import { LockClosedIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import { Alert } from './alert'
import { useWords } from '../words/use-words'

/** Shown instead of data that the user has no permission to see. */
export function Forbidden(): ReactNode {
  const { ui } = useWords()
  return (
    <Alert role="status" icon={<LockClosedIcon />}>
      {ui.forbidden}
    </Alert>
  )
}
