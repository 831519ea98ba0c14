import type { ReactNode } from 'react'
import { useAuth } from 'rxauth/react'
import { NotKnownYet } from '../components/not-known-yet'
import { AccountPage } from './account'
import { SignInPage } from './sign-in'

/** Who is signed in decides what there is. What is not known yet is neither: no sign-in form flashes by. */
export function HomePage(): ReactNode {
  const auth = useAuth()
  switch (auth.phase) {
    case 'unknown':
      return <NotKnownYet error={auth.error} />
    case 'signed-out':
      return <SignInPage mode="sign-in" reason={auth.reason} />
    case 'anonymous':
    case 'signed-in':
      return <AccountPage />
  }
}
