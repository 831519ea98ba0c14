import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { Link, Links, Meta, Outlet, Scripts, ScrollRestoration, useLoaderData, useRevalidator } from 'react-router'
import type { LoaderFunctionArgs } from 'react-router'
import { cookieTokens, createClientApp, dehydrate, onCommitted, onIdentityChange } from 'rxauth'
import { AuthProvider, useApp, useAuth } from 'rxauth/react'
import { asUser, session } from './server.server'

const app = createClientApp({ tokens: cookieTokens() })

export const middleware = [session]

export const loader = ({ request }: LoaderFunctionArgs) => asUser(request, own => dehydrate(own, [own.user$]))

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

export default function Root() {
  const state = useLoaderData<typeof loader>()
  const { revalidate } = useRevalidator()
  useEffect(() => {
    const again = () => void revalidate()
    const stops = [onIdentityChange(app, again), onCommitted(app, again)]
    return () => stops.forEach(stop => stop())
  }, [revalidate])
  return (
    <AuthProvider app={app} state={state}>
      <Bar />
      <OnlyFor identity={state.identity}>
        <Outlet />
      </OnlyFor>
    </AuthProvider>
  )
}

/** Shows a page that the server has loaded for a user only while that user is signed in. */
function OnlyFor({ identity, children }: { identity: string | null; children: ReactNode }) {
  const auth = useAuth()
  return auth.status === 'unknown' || ('user' in auth ? auth.user.id : null) === identity ? children : null
}

function Bar() {
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
