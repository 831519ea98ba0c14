import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(__dirname, '../..')

const packages = ['rxjs', 'react', 'react-dom', 'vite', '@vitejs/plugin-react', '@heroicons/react', 'uqr', 'wouter']

/** What `npm create vite` writes into a new app, as far as these screens meet it. */
const newApp = {
  'package.json': JSON.stringify({
    private: true,
    type: 'module',
    dependencies: Object.fromEntries([...packages, 'rxauth', 'typescript'].map(name => [name, '*'])),
  }),
  'index.html': `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="color-scheme" content="light dark" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>A new app</title>
  </head>
  <body style="margin: 0; background: Canvas">
    <div id="root"></div>
    <script type="module" src="/src/main.tsx"></script>
  </body>
</html>
`,
  'src/auth.ts': `import { cookieTokens, createClientApp, followIdentity, rememberSignInMethod } from 'rxauth'
import { navigate } from 'wouter/use-browser-location'
import { passwordLimits } from './auth/ui/password-limits'
import { clearToasts } from './auth/ui/toasts'

export const auth = createClientApp({
  baseUrl: import.meta.env.VITE_PLATFORM_URL,
  projectId: import.meta.env.VITE_PROJECT_ID,
  publishableClientKey: import.meta.env.VITE_PUBLISHABLE_CLIENT_KEY,
  tokens: cookieTokens(),
  navigate(url, { replace = false } = {}) {
    const target = new URL(url, location.href)
    if (target.origin === location.origin) navigate(target.href.slice(target.origin.length), { replace })
    else if (replace) location.replace(target)
    else location.assign(target)
  },
  urls: { afterSignUp: '/welcome' },
  passwordLimits,
})

followIdentity(auth, { clear: clearToasts })
rememberSignInMethod(auth)
`,
  // The pages of an app around the screens: a bar, a start page, and one after a sign-up.
  'src/main.tsx': `import { StrictMode, Suspense } from 'react'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { useAction, useApp, useAuth, useUser } from 'rxauth/react'
import { AuthProvider } from 'rxauth/react'
import { auth } from './auth'
import { NotFoundPage } from './auth/handlers/not-found'
import { VerifyFirst } from './auth/handlers/email-verification'
import { Screens } from './auth/screens'
import { AuthFrame } from './auth/shell/auth-frame'
import { Brand } from './auth/shell/brand'
import { InvitationsLink } from './auth/shell/invitations-link'
import { NotKnownYet, Screen } from './auth/shell/screen'
import { UserMenu } from './auth/shell/user-menu'
import { SignInPage } from './auth/sign-in/sign-in-page'
import { TeamSwitcher } from './auth/teams/team-switcher'
import { Button, ButtonLink } from './auth/ui/button'
import { usePath } from './auth/ui/navigation'
import { PageHeading } from './auth/ui/section'
import { LastKnown } from './auth/ui/with-store'

function Bar({ children }: { readonly children: ReactNode }) {
  return (
    <div className="auth contents">
      <header style={{ display: 'flex', justifyContent: 'space-between', padding: 8 }}>
        <div className="auth-row snug oneline">
          <Brand isCompact />
          <Suspense>
            <TeamSwitcher />
          </Suspense>
        </div>
        <div className="auth-row tight oneline fixed">
          <InvitationsLink />
          <UserMenu />
        </div>
      </header>
      <main className="page">
        <div className="auth-stack loose">
          <LastKnown store={useApp().anyUser$} />
          {children}
        </div>
      </main>
    </div>
  )
}

function Home() {
  const state = useAuth()
  switch (state.status) {
    case 'unknown':
      return <NotKnownYet error={state.error} />
    case 'signed-out':
      return <SignInPage />
    case 'anonymous':
      return (
        <Bar>
          <PageHeading title="Welcome, guest" />
        </Bar>
      )
    case 'signed-in':
      if (state.restriction) return <VerifyFirst user={state.user} />
      return (
        <Bar>
          <PageHeading title={state.user.displayName === null ? 'Welcome' : \`Welcome, \${state.user.displayName}\`} />
        </Bar>
      )
  }
}

function Welcome() {
  const app = useApp()
  const { primaryEmail, primaryEmailVerified } = useUser({ or: 'redirect' })
  const send = useAction(() => app.sendVerificationEmail())
  if (primaryEmailVerified) return <Home />
  return (
    <AuthFrame title="Check your e-mail" subtitle={primaryEmail}>
      <ButtonLink label="Continue" to="/" />
      {send.status === 'done' && <p role="status">We sent another link.</p>}
      <Button label="Send again" kind="quiet" does={send} />
    </AuthFrame>
  )
}

function App() {
  const path = usePath()
  return <Screen>{path === '/' ? <Home /> : path === '/welcome' ? <Welcome /> : <NotFoundPage />}</Screen>
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <AuthProvider app={auth}>
      <Screens frame={Bar}>
        <App />
      </Screens>
    </AuthProvider>
  </StrictMode>,
)
`,
}

/** What the page reads when it is opened, not when it is built: one build serves all platforms. */
const environment = ['VITE_PLATFORM_URL', 'VITE_PROJECT_ID', 'VITE_PUBLISHABLE_CLIENT_KEY']

/**
 * Builds a new app of Vite into which `rxauth add` has copied all screens, and returns the folder of the page: the pages of the
 * same tests as the example's, from the files that a user gets.
 */
export async function buildCopiedScreens(mode: 'production' | 'development'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rxauth-copied-'))
  for (const part of ['package.json', 'dist'])
    await cp(join(root, part), join(folder, 'node_modules/rxauth', part), { recursive: true })
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { dependencies: object }
  for (const name of [...packages, ...Object.keys(dependencies)]) {
    await mkdir(dirname(join(folder, 'node_modules', name)), { recursive: true })
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  for (const [path, text] of Object.entries(newApp)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const define = Object.fromEntries(
    environment.map(name => [`import.meta.env.${name}`, `globalThis.environment.${name}`]),
  )
  await writeFile(
    join(folder, 'vite.config.ts'),
    `import react from '@vitejs/plugin-react'\nexport default { plugins: [react()], define: ${JSON.stringify(define)} }\n`,
  )
  const bin = join(folder, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'npm'), '#!/bin/sh\n', { mode: 0o755 })
  const env = { ...process.env, NODE_ENV: mode, PATH: `${bin}:${process.env['PATH']}` }
  const names = ['sign-in', 'account', 'team', 'user-button', 'team-switcher', 'words-de']
  const inApp = (...args: readonly string[]) => run(process.execPath, args, { cwd: folder, env, maxBuffer: 1e8 })
  await inApp('node_modules/rxauth/dist/platform-bin.js', 'add', ...names, '--yes')
  await inApp('node_modules/vite/bin/vite.js', 'build', '--mode', mode, '--outDir', 'page', '--logLevel', 'warn')
  return join(folder, 'page')
}

export async function removeCopiedScreens(page: string): Promise<void> {
  await rm(dirname(page), { recursive: true, force: true })
}
