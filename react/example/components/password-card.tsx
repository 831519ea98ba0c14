import { useRef } from 'react'
import type { ReactNode, SubmitEvent } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { Problem } from './problem'

/** Changes the password, or gives a first one. */
export function PasswordCard({ hasPassword }: { readonly hasPassword: boolean }): ReactNode {
  const app = useApp()
  const form = useRef<HTMLFormElement>(null)
  const change = useAction(async (given: FormData) => {
    const text = (name: string) => {
      const value = given.get(name)
      return typeof value === 'string' ? value : ''
    }
    const result = await (hasPassword
      ? app.updatePassword({ oldPassword: text('old'), newPassword: text('new'), confirmation: text('again') })
      : app.setPassword({ password: text('new') }))
    if (result.ok) form.current?.reset()
    return result
  })
  const isBusy = change.status === 'running'
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isBusy) void change.run(new FormData(event.currentTarget))
  }
  return (
    <article>
      <h2>Password</h2>
      <form ref={form} onSubmit={submit} aria-label="Change it">
        {hasPassword && (
          <>
            <label htmlFor="old">Present password</label>
            <input id="old" name="old" type="password" autoComplete="current-password" required />
          </>
        )}
        <label htmlFor="new">New password</label>
        <input
          id="new"
          name="new"
          type="password"
          autoComplete="new-password"
          required
          aria-describedby="password-problem"
        />
        {hasPassword && (
          <>
            <label htmlFor="again">New password again</label>
            <input id="again" name="again" type="password" autoComplete="new-password" required />
          </>
        )}
        <Problem of={change} id="password-problem" />
        <button type="submit" className="outline" aria-busy={isBusy}>
          {hasPassword ? 'Change password' : 'Set a password'}
        </button>
        <p role="status" className="status">
          {change.status === 'done' && 'Done. Your other sessions have ended.'}
        </p>
      </form>
    </article>
  )
}
