import { useRef } from 'react'
import type { ReactNode, SubmitEvent } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { Problem } from './problem'

/** The six characters of the mail, in the tab that asked for it. */
export function TypedCodeForm({ email }: { readonly email: string }): ReactNode {
  const app = useApp()
  const code = useRef<HTMLInputElement>(null)
  const enter = useAction(async (text: string) => {
    const result = await app.signInWithMagicLink({ code: text })
    if (!result.ok) code.current?.select()
    return result
  })
  const isBusy = enter.status === 'running'
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isBusy) void enter.run(code.current?.value ?? '')
  }
  return (
    <form onSubmit={submit} aria-label="Code" className="sent">
      <p role="status">
        A link is on its way to <b>{email}</b>. Open it, or type its six characters here.
      </p>
      <label htmlFor="code">Six characters</label>
      <input id="code" ref={code} autoComplete="one-time-code" required autoFocus aria-describedby="code-problem" />
      <Problem of={enter} id="code-problem" />
      <button type="submit" aria-busy={isBusy}>
        Continue
      </button>
    </form>
  )
}
