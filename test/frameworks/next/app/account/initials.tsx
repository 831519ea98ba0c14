'use client'
import { useApp, useUser } from 'rxauth/react'

export function Initials() {
  const app = useApp()
  const user = useUser()
  const displayName = user?.displayName?.replace(/\B\w+/g, '.')
  return displayName && <button onClick={() => void app.updateUser({ displayName })}>Shorten to {displayName}</button>
}
