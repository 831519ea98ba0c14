import { CheckCircleIcon, InformationCircleIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import { useAuth } from 'rxauth/react'
import { Alert } from '../ui/alert'
import { useWords } from '../words/use-words'

/** Why the last session of this tab has ended, if there was one. */
export function SignedOutNotice(): ReactNode {
  const { signIn: words } = useWords()
  const auth = useAuth()
  if (auth.status !== 'signed-out' || auth.reason === 'never') return null
  const isExpected = ['signed-out', 'elsewhere', 'deleted'].includes(auth.reason)
  return (
    <Alert
      role="status"
      kind={isExpected ? 'good' : 'warning'}
      icon={isExpected ? <CheckCircleIcon /> : <InformationCircleIcon />}
    >
      {words.ended[auth.reason]}
    </Alert>
  )
}
