import { cookieTokens, createClientApp } from 'rxauth'

export const app = createClientApp({ tokens: cookieTokens() })
