import type { ReactNode } from 'react'
import { useApp } from 'rxauth/react'
import { useOnArrival } from './use-on-arrival'
import { Waiting } from './waiting'
import { useWords } from '../words/use-words'

/** Signs out, and opens the start page, which shows that it is done. */
export function SignOutPage(): ReactNode {
  const { pages: words } = useWords()
  const app = useApp()
  useOnArrival(() => void app.signOut().then(() => app.redirectTo('afterSignOut', { replace: true })))
  return <Waiting title={words.signingOut} />
}
