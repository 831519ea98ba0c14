import type { ReactNode } from 'react'
import { dehydrate } from 'rxauth'
import { Auth } from './auth'
import { asUser } from './server'

/** Pages wait for the user, so that their HTML has the name and their forms work without JavaScript. */
export const instant = false

export default async function Layout({ children }: { children: ReactNode }) {
  const state = await asUser(own => dehydrate(own, [own.user$]))
  return (
    <html lang="en">
      <body>
        <Auth state={state}>{children}</Auth>
      </body>
    </html>
  )
}
