import { Links, Meta, Outlet, Scripts, ScrollRestoration, useLoaderData, useRevalidator } from 'react-router'
import type { LoaderFunctionArgs } from 'react-router'
import type { ReactNode } from 'react'
import { cookieTokens, createClientApp, dehydrate } from 'rxauth'
import { AuthProvider, ServerRendered } from 'rxauth/react'
import { Bar } from './bar'
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
  const { revalidate } = useRevalidator()
  return (
    <AuthProvider app={app} state={useLoaderData<typeof loader>()}>
      <Bar />
      <ServerRendered refresh={revalidate}>
        <Outlet />
      </ServerRendered>
    </AuthProvider>
  )
}
