import type { ReactNode } from 'react'
import { AuthFrame } from '../shell/auth-frame'

/** A page whose request is running. */
export function Waiting({ title }: { readonly title: string }): ReactNode {
  return (
    <AuthFrame title={title}>
      <div className="row middle" role="status" aria-busy="true" aria-label="One moment">
        <span className="spinner" />
      </div>
    </AuthFrame>
  )
}
