import type { ReactNode } from 'react'
import { useAction, useApp, useUser } from 'rxauth/react'
import { Link } from '../router'

/** Who is signed in, and the way out. */
export function UserBar(): ReactNode {
  const app = useApp()
  const user = useUser({ or: 'anonymous' })
  const leave = useAction(() => app.signOut())
  if (!user) return null
  return (
    <nav aria-label="Account">
      {user.isAnonymous ? (
        <Link to="/handler/sign-up">Create an account</Link>
      ) : (
        <Link to="/handler/account-settings">Settings</Link>
      )}
      <span className="who" title={user.primaryEmail ?? ''}>
        {user.displayName ?? user.primaryEmail}
      </span>
      <button className="secondary outline" onClick={() => void leave.run()}>
        Sign out
      </button>
    </nav>
  )
}
