import type { Handle } from '@sveltejs/kit'
import { asUser } from './lib/server/auth'

/** Refreshes the session before the `load` functions run, which cannot set cookies: they stream. */
export const handle: Handle = async ({ event, resolve }) => {
  await asUser(event, own => own.accessToken())
  const response = await resolve(event)
  response.headers.set('cache-control', 'private, no-store')
  response.headers.append('vary', 'Cookie')
  return response
}
