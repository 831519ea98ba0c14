import { ownFetch, type Kit } from 'rxauth'

interface BackendRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
  readonly signal?: AbortSignal
}

/** Requests the app's own backend with the user's access token, renewed if it has expired. */
export async function askBackend(kit: Kit, { method, path, headers, body, signal }: BackendRequest): Promise<unknown> {
  const response = await ownFetch(kit)(path, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}`)
  return response.status === 204 ? undefined : response.json()
}
