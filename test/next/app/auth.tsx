'use client'
import type { ReactNode } from 'react'
import { cookieTokens, createClientApp } from 'rxauth'
import { AuthProvider } from 'rxauth/react'

const app = createClientApp({ tokens: cookieTokens() })

export function Auth({ children }: { children: ReactNode }) {
  return <AuthProvider app={app}>{children}</AuthProvider>
}
