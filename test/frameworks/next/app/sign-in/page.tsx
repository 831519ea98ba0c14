import { signIn } from './actions'

export default async function SignIn({ searchParams }: { searchParams: Promise<Record<string, string | undefined>> }) {
  const { after_auth_return_to: returnTo = '/', refused } = await searchParams
  return (
    <form action={signIn}>
      <h1>Sign in</h1>
      <input type="hidden" name="returnTo" value={returnTo} />
      <input type="email" name="email" placeholder="E-mail" autoComplete="username" />
      <input type="password" name="password" placeholder="Password" autoComplete="current-password" />
      <button>Sign in</button>
      {refused && <p role="alert">Wrong e-mail address or password.</p>}
    </form>
  )
}
