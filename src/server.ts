// rxauth/server: what a backend does with its secret key. Never for a browser.
export { createServerApp } from './server-app'
export type { RequestApp, ServerApp, ServerOptions } from './server-app'
export * from './server-definitions'
export { requestAccessToken } from './server/request-access-token'
export { tokenVerifier } from './server/token-verifier'
export type { VerifierOptions, VerifyAccessToken, VerifyOptions } from './server/token-verifier'
export type { TokenUser, VerifiedToken } from './server/verified-token'
