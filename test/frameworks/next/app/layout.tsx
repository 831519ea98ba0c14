import type { ReactNode } from 'react'
import { AuthState } from '../auth'
import { Bar } from './bar'

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <AuthState header={<Bar />}>{children}</AuthState>
      </body>
    </html>
  )
}
