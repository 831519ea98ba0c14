import { CheckCircleIcon, InformationCircleIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import type { SignedOutReason } from 'rxauth'
import { useAuth } from 'rxauth/react'
import { Alert } from '../ui/alert'

const reasons: Readonly<Record<Exclude<SignedOutReason, 'never'>, string>> = {
  'signed-out': 'You have signed out.',
  elsewhere: 'You have signed out in another tab.',
  expired: 'Your session has ended. Please sign in again.',
  deleted: 'Your account has been deleted.',
}

/** Why the last session of this tab has ended, if there was one. */
export function SignedOutNotice(): ReactNode {
  const auth = useAuth()
  if (auth.status !== 'signed-out' || auth.reason === 'never') return null
  const isExpected = auth.reason !== 'expired'
  return (
    <Alert
      role="status"
      kind={isExpected ? 'good' : 'warning'}
      icon={isExpected ? <CheckCircleIcon /> : <InformationCircleIcon />}
    >
      {reasons[auth.reason]}
    </Alert>
  )
}
