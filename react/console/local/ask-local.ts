/** Requests one of the local platform's own addresses. Rejects with the platform's message. */
export async function askLocal(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<unknown> {
  let response: Response
  try {
    response = await fetch(`/__local__/${path}`, {
      method,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
  } catch (cause) {
    throw new Error('The platform does not answer. Is it still running?', { cause })
  }
  const answer: unknown = await response.json().catch(() => ({}))
  if (response.ok) return answer
  const { error } = answer as { readonly error?: string }
  throw new Error(error ?? `The platform answered ${response.status}.`)
}
