// Compiled, never run: verified tokens, and tokens merely read.
import type { ServerApp, VerifiedToken, VerifyAccessToken, VerifyRequest } from 'rxauth/server'
import { requestAccessToken, tokenVerifier } from 'rxauth/server'

declare const read: { readonly [K in keyof VerifiedToken as K extends symbol ? never : K]: VerifiedToken[K] }
declare function deleteEverythingOf(token: VerifiedToken): void

deleteEverythingOf(await tokenVerifier()('token'))
// @ts-expect-error claims that were merely read do not fit, although they have the same fields
deleteEverythingOf(read)
// @ts-expect-error nor does a token before it is verified
deleteEverythingOf('token')
// @ts-expect-error nor a verification that was not awaited
deleteEverythingOf(tokenVerifier()('token'))
deleteEverythingOf(await tokenVerifier()(requestAccessToken({ headers: {} })))

declare const server: ServerApp
await server.verifyAccessToken('token', { askAnonymous: true })
await server.verifyAccessToken.request({ headers: {} }, { askAnonymous: true, allowAnonymous: true })
// @ts-expect-error without a key there is nothing to ask with
await tokenVerifier()('token', { askAnonymous: true })
// @ts-expect-error for requests neither
await tokenVerifier().request({ headers: {} }, { askAnonymous: true })
// @ts-expect-error nor for all of them
tokenVerifier({ askAnonymous: true })
// A server app can be passed where a verifier is taken.
export const asVerifier: VerifyAccessToken & VerifyRequest<VerifiedToken> = server.verifyAccessToken
export const isGuest: boolean | undefined = read.isAnonymous
// @ts-expect-error a token may be unable to say it
export const isCertain: boolean = read.isAnonymous

export type ReadHasEverything = keyof typeof read
