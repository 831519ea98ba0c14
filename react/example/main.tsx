import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { cookieTokens, createClientApp } from 'rxauth'
import { AuthProvider } from 'rxauth/react'
import { App } from './app'
import { config } from './config'
import { go } from './router'

const app = createClientApp({ ...config, tokens: cookieTokens(), navigate: go })

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id "root"')

createRoot(root).render(
  <StrictMode>
    <AuthProvider app={app}>
      <App />
    </AuthProvider>
  </StrictMode>,
)
