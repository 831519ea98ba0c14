/** Where there are none (React Native), what code of the app has dropped is let go when the session ends. */
const dropped =
  typeof FinalizationRegistry === 'function'
    ? /* @__PURE__ */ new FinalizationRegistry<() => void>(release => {
        release()
      })
    : undefined

/**
 * The response, with a body that calls `release` when it has been read, has failed, or is cancelled, or when code of the app has
 * dropped it. The platform tells none of these.
 */
export function trackBody(response: Response, release: () => void): Response {
  const { body } = response
  if (!body) {
    release()
    return response
  }
  // A `fetch` of others may return a stream of another kind, also where there is none of the platform, or one in use.
  if (typeof ReadableStream !== 'function' || !(body instanceof ReadableStream) || body.locked) return response
  const reader = body.getReader()
  const tracked = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (!done) {
            controller.enqueue(value)
            return
          }
          controller.close()
        } catch (error) {
          controller.error(error)
        }
        release()
      },
      cancel(reason) {
        release()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  dropped?.register(tracked, release)
  return like(response, new Response(tracked, response))
}

/** A response that is made in code has neither address nor type. */
function like({ url, redirected, type }: Response, made: Response): Response {
  const clone = made.clone.bind(made)
  const members = { url, redirected, type, clone: () => like(made, clone()) }
  for (const [name, value] of Object.entries(members)) Object.defineProperty(made, name, { value })
  return made
}
