// Compiled, never run: verified tokens, and tokens merely read.
import type { VerifiedToken } from 'rxauth/server'
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

export type ReadHasEverything = keyof typeof read
