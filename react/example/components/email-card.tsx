import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { Problem } from './problem'

/** Another link for an address that is not verified yet. */
export function EmailCard({ email }: { readonly email: string }): ReactNode {
  const app = useApp()
  const send = useAction(() => app.sendVerificationEmail())
  const isBusy = send.status === 'running'
  return (
    <article>
      <h2>Your address is not verified</h2>
      <p>Open the link that was sent to {email}.</p>
      <button className="outline" aria-busy={isBusy} onClick={() => void (isBusy || send.run())}>
        Send it again
      </button>
      <Problem of={send} />
      <p role="status" className="status">
        {send.status === 'done' && 'Sent.'}
      </p>
    </article>
  )
}
