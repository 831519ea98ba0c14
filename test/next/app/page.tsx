'use client'
import Link from 'next/link'
import { useState } from 'react'
import { useAction, useApp, useAuth } from 'rxauth/react'

export default function Home() {
  const app = useApp()
  const auth = useAuth()
  if (auth.status === 'unknown') return <p>One moment …</p>
  if (auth.status !== 'signed-in') return <SignIn />
  return (
    <>
      <p>Signed in as {auth.user.displayName ?? auth.user.primaryEmail}</p>
      <Link href="/account">Account</Link>
      <button onClick={() => void app.signOut()}>Sign out</button>
    </>
  )
}

function SignIn() {
  const app = useApp()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const signIn = useAction(() => app.signInWithPassword({ email, password }))
  return (
    <form action={() => void signIn.run()}>
      <input type="email" placeholder="E-mail" value={email} onChange={event => setEmail(event.target.value)} />
      <input
        type="password"
        placeholder="Password"
        value={password}
        onChange={event => setPassword(event.target.value)}
      />
      <button>Sign in</button>
      {signIn.status === 'failed' && <p role="alert">Wrong e-mail address or password.</p>}
    </form>
  )
}
