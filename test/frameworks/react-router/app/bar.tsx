import { Link } from 'react-router'
import { useApp, useAuth } from 'rxauth/react'

export function Bar() {
  const app = useApp()
  const auth = useAuth()
  return (
    <nav>
      <Link to="/">Start</Link> <Link to="/account">Account</Link> <Link to="/reports">Reports</Link>{' '}
      {auth.status === 'signed-in' ? (
        <>
          <span>{auth.user.displayName ?? auth.user.primaryEmail}</span>{' '}
          <button onClick={() => void app.signOut()}>Sign out</button>
        </>
      ) : (
        <Link to="/sign-in">Sign in</Link>
      )}
    </nav>
  )
}
