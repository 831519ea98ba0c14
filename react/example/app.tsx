import type { ReactNode } from 'react'
import { useAuth } from 'rxauth/react'
import { NotKnownYet } from './components/not-known-yet'
import { AccountPage } from './pages/account'
import { WelcomePage } from './pages/welcome'

/** Who is signed in decides which page there is. What is not known yet is neither: no sign-in form flashes by. */
export function App(): ReactNode {
  const auth = useAuth()
  switch (auth.phase) {
    case 'unknown':
      return <NotKnownYet error={auth.error} />
    case 'signed-out':
      return <WelcomePage reason={auth.reason} />
    case 'anonymous':
      return <WelcomePage reason="never" />
    case 'signed-in':
      return <AccountPage />
  }
}
