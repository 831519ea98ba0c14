'use client'
import { useAction, useApp, useUser } from 'rxauth/react'

export function Initials() {
  const shorten = useAction(useApp().updateUser)
  const user = useUser()
  const displayName = user?.displayName?.replace(/\B\w+/g, '.')
  return displayName && <button onClick={() => void shorten.run({ displayName })}>Shorten to {displayName}</button>
}
