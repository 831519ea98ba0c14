import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { AuthProvider } from 'rxauth/react'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import { App } from './app/app'
import './app/app.css'
import { auth } from './app/auth'
import { isInAdminArea } from './app/navigation'
import { cssVariables, theme } from './app/theme'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id "root"')

// Loaded only there, so the product has none of its code.
const area = isInAdminArea(location.pathname) ? await import('./admin/admin-area') : { app: auth, Pages: App }

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <Notifications position="bottom-right" />
      <AuthProvider app={area.app}>
        <area.Pages />
      </AuthProvider>
    </MantineProvider>
  </StrictMode>,
)
