import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { AuthProvider } from 'rxauth/react'
import { Router } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import '@mantine/core/styles.css'
import '@mantine/charts/styles.css'
import '@mantine/notifications/styles.css'
import '../example/app/app.css'
import { cssVariables, theme } from '../example/app/theme'
import { ConsolePages } from './console-pages'
import './console.css'
import { Failure } from './local/with-live'
import { events$ } from './local/live'
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
      <Failure error={error instanceof Error ? error : new Error(String(error))} />
    </main>
  ),
)

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <Notifications position="bottom-right" />
      {pages}
    </MantineProvider>
  </StrictMode>,
)
