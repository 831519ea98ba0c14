import { createRoot } from 'react-dom/client'
import { cookieTokens, createClientApp, type ClientOptions } from 'rxauth'
import { AuthProvider, useAuth } from 'rxauth/react'
import { smoke } from './smoke'
import { shown } from './tabs'

function Name() {
  const auth = useAuth()
  return <p>{auth.status === 'signed-in' ? auth.user.displayName : auth.status}</p>
}

/** The program in a page that renders the user with a hook. */
export async function run(options: ClientOptions): Promise<void> {
  const app = createClientApp({ ...options, tokens: cookieTokens() })
  const main = document.querySelector('main')!
  createRoot(main).render(
    <AuthProvider app={app}>
      <Name />
    </AuthProvider>,
  )
  await smoke(app, name => shown(main, name ?? 'signed-out'))
}
