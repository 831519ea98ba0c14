import { authHeaders } from 'rxauth'
import type { Kit } from 'rxauth'

interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: object
  readonly signal: AbortSignal
}

/** Asks the app's own backend as the signed-in user: the access token goes along, the refresh token stays here. */
export async function askBackend(kit: Kit, { method, path, body, signal }: Request): Promise<unknown> {
  const response = await fetch(path, {
    method,
    signal,
    headers: {
      ...(await authHeaders(kit, { signal })),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}`)
  return response.status === 204 ? undefined : response.json()
}
