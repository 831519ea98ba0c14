import { cookies, headers } from 'next/headers'
import { requestTokens } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import type { RequestApp, ServerApp } from 'rxauth/server'

let server: ServerApp | undefined

/** Runs it with the app of this request, which acts as the user of the request's cookies and is signed out without them. */
export async function asUser<T>(run: (own: RequestApp) => Promise<T>): Promise<T> {
  const jar = await cookies()
  // Not before: `next build` loads this module and comes as far as cookies(), and has no secret key.
  server ??= createServerApp()
  const own = server.withTokens(
    requestTokens({ headers: await headers() }, ({ name, value, options }) => jar.set(name, value, options)),
  )
  try {
    return await run(own)
  } finally {
    own.dispose()
  }
}
