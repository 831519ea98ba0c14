import { useRef } from 'react'
import type { ReactNode, SubmitEvent } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { Problem } from './problem'

/** Mails a link and six characters. */
export function MagicLinkForm({ isRepeated }: { readonly isRepeated: boolean }): ReactNode {
  const app = useApp()
  const address = useRef<HTMLInputElement>(null)
  const send = useAction((email: string) => app.sendMagicLinkEmail({ email }))
  const isBusy = send.status === 'running'
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isBusy) void send.run(address.current?.value ?? '')
  }
  return (
    <form onSubmit={submit} aria-label="Sign-in link">
      <label htmlFor="link-address">Send a sign-in link to</label>
      <input
        id="link-address"
        ref={address}
        type="email"
        autoComplete="email"
        required
        aria-describedby="link-problem"
      />
      <Problem of={send} id="link-problem" />
      <button type="submit" className="outline" aria-busy={isBusy}>
        {isRepeated ? 'Send another link' : 'Send me a link'}
      </button>
    </form>
  )
}
