import { useState } from 'react'
import type { ReactNode } from 'react'
import { rememberSession } from 'rxauth'
import { useAction, useApp } from 'rxauth/react'
import { Choice } from '../ui/field'
import { Problem } from '../ui/alert'
import { useWords } from '../words/use-words'

/** The choice of this tab, which the redirect of a provider or a reload brings back to the page. */
const key = 'auth-remember'

/** Whether the session outlasts the browser. The choice counts for every way to sign in. */
export function RememberMe(): ReactNode {
  const { signIn: words } = useWords()
  const app = useApp()
  const [lasts, setLasts] = useState(kept)
  const choose = useAction(async (next: boolean) => {
    setLasts(next)
    await rememberSession(app, next)
    keep(next)
  })
  return (
    <>
      <Choice
        label={words.remember}
        hint={lasts ? undefined : words.forgotten}
        checked={lasts}
        onChange={event => void choose.run(event.currentTarget.checked).catch(() => undefined)}
      />
      <Problem of={choose} />
    </>
  )
}

function kept(): boolean {
  try {
    return sessionStorage.getItem(key) !== 'no'
  } catch {
    return true
  }
}

function keep(lasts: boolean): void {
  try {
    sessionStorage.setItem(key, lasts ? 'yes' : 'no')
  } catch {
    // Blocked or full: a reload shows the box as ticked.
  }
}
