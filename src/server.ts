// rxauth/server: what a backend does with its secret key. Never for a browser.
export { createServerApp } from './server-app'
export type { RequestApp, ServerApp, ServerOptions } from './server-app'
export * from './server-definitions'
