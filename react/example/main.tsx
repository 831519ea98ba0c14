import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { cookieTokens, createClientApp } from 'rxauth'
import { AuthProvider } from 'rxauth/react'
import { App } from './app'
import { config } from './config'

const app = createClientApp({ ...config, tokens: cookieTokens() })

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id "root"')

createRoot(root).render(
  <StrictMode>
    <AuthProvider app={app}>
      <App />
    </AuthProvider>
  </StrictMode>,
)
