// The page of the scenarios: it shows the user's name, and its kit is a global.
import { cookieTokens, createClientApp } from 'rxauth'

/** Filled in when the page is built. */
declare const platformUrl: string

const app = createClientApp({ baseUrl: platformUrl, tokens: cookieTokens() })
const heading = document.querySelector('h1')!
const seen: string[] = []
let ticks = 0
app.auth$.subscribe(({ status }) => {
  if (seen.at(-1) !== status) seen.push(status)
})
app.user$.subscribe({
  next: user => (heading.textContent = user ? user.displayName : 'signed out'),
  error: (error: unknown) => (heading.textContent = String(error)),
})
setInterval(() => ticks++, 10_000)

/** What the backend says of the page's access token. */
async function askBackend(headers?: Readonly<Record<string, string>>) {
  const response = await fetch('/api', { headers: headers ?? (await app.authHeaders()) })
  return (await response.json()) as { readonly kit: string; readonly jose: string; readonly now: number }
}

const tab = {
  app,
  /** Each status of the session, in order, when it changes. */
  seen,
  /** How often a timer of ten seconds has run. */
  ticks: () => ticks,
  askBackend,
}
export type Tab = typeof tab
Object.assign(globalThis, { tab })
