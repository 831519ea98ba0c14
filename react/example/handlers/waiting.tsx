import type { ReactNode } from 'react'
import { AuthFrame } from '../shell/auth-frame'
import { useWords } from '../words/use-words'

/** A page whose request is running. */
export function Waiting({ title }: { readonly title: string }): ReactNode {
  const { pages: words } = useWords()
  return (
    <AuthFrame title={title}>
      <div className="auth-row middle" role="status" aria-busy="true" aria-label={words.waiting}>
        <span className="spinner" />
      </div>
    </AuthFrame>
  )
}
