import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { AuthProvider } from 'rxauth/react'
import { auth } from './app/auth'
import { isInAdminArea } from './app/navigation'
import { Product } from './app/own-backend'
import { Toasts } from './ui/toasts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id "root"')

// Loaded only there, so the product has none of its code.
const area = isInAdminArea(location.pathname) ? await import('./admin/admin-area') : { app: auth, Pages: Product }

createRoot(root).render(
  <StrictMode>
    <AuthProvider app={area.app}>
      <area.Pages />
      <Toasts />
    </AuthProvider>
  </StrictMode>,
)
