import { ExclamationCircleIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'

interface Props {
  readonly kind?: 'info' | 'good' | 'warning' | 'danger'
  /** `alert` is read out at once, `status` when the reader pauses. */
  readonly role?: 'alert' | 'status'
  readonly icon?: ReactNode
  /** A button at the end. */
  readonly action?: ReactNode
  readonly children: ReactNode
}

/** A message in a page. */
export function Alert({ kind = 'info', role, icon, action, children }: Props): ReactNode {
  return (
    <div className={`auth-alert ${kind}`} role={role}>
      {icon ?? (kind === 'danger' && <ExclamationCircleIcon />)}
      <div>{children}</div>
      {action}
    </div>
  )
}
