import type { ReactNode } from 'react'
import { Auth } from './auth'

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <Auth>{children}</Auth>
      </body>
    </html>
  )
}
