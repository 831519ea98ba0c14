'use client'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { cookieTokens, createClientApp, onCommitted, onIdentityChange } from 'rxauth'
import type { Dehydrated } from 'rxauth'
import { AuthProvider, useAuth } from 'rxauth/react'
import { Bar } from './bar'

const app = createClientApp({ tokens: cookieTokens() })

export function Auth({ state, children }: { state: Dehydrated; children: ReactNode }) {
  const router = useRouter()
  useEffect(() => {
    const refresh = () => router.refresh()
    const stops = [onIdentityChange(app, refresh), onCommitted(app, refresh)]
    return () => stops.forEach(stop => stop())
  }, [router])
  return (
    <AuthProvider app={app} state={state}>
      <Bar />
      <OnlyFor identity={state.identity}>{children}</OnlyFor>
    </AuthProvider>
  )
}

/** Shows a page that the server has rendered for a user only while that user is signed in. */
function OnlyFor({ identity, children }: { identity: string | null; children: ReactNode }) {
  const auth = useAuth()
  return auth.status === 'unknown' || ('user' in auth ? auth.user.id : null) === identity ? children : null
}
