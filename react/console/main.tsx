import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { AuthProvider } from 'rxauth/react'
import { Router } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import '../example/admin/admin.css'
import '../example/app/app.css'
import '../example/screens.css'
import { Toasts } from '../example/ui/toasts'
import { ConsolePages } from './console-pages'
import './console.css'
import { events$ } from './local/live'
import { Failure } from './local/with-live'
import { signInConsole } from './owner'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id "root"')

// After an import, or with another platform, this page's session and rows no longer exist.
let platformId: string | undefined
events$.subscribe(event => {
  const isOther = event.type === 'hello' && platformId !== undefined && event.platformId !== platformId
  if (isOther || event.type === 'restored') location.reload()
  else if (event.type === 'hello') platformId = event.platformId
})

const pages = await signInConsole().then(
  app => (
    <AuthProvider app={app}>
      {/* Pages behind the # are never those of the platform, whose addresses are everything before it. */}
      <Router hook={useHashLocation}>
        <ConsolePages />
      </Router>
    </AuthProvider>
  ),
  (error: unknown) => (
    <main className="lost">
      <h1>The console cannot be opened</h1>
      <Failure of={{ status: 'failed', error: error instanceof Error ? error : new Error(String(error)) }} />
    </main>
  ),
)

createRoot(root).render(
  <StrictMode>
    {pages}
    <Toasts />
  </StrictMode>,
)
