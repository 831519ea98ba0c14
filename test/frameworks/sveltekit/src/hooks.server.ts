import type { Handle } from '@sveltejs/kit'
import { asUser } from './lib/server/auth'

/** Renews the session before the pages load, whose streamed answers cannot set cookies. */
export const handle: Handle = async ({ event, resolve }) => {
  await asUser(event, own => own.accessToken())
  const response = await resolve(event)
  response.headers.set('cache-control', 'private, no-store')
  response.headers.append('vary', 'Cookie')
  return response
}
