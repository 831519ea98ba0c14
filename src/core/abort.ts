/*
 * React Native's signals have neither `reason` nor `throwIfAborted`.
 */

/** Aborts with a reason that every listener can read. */
export function abortWith(controller: AbortController, reason: unknown): void {
  const { signal } = controller
  if (!('reason' in signal)) Object.defineProperty(signal, 'reason', { value: reason })
  controller.abort(reason)
}

/** Throws the reason of a signal of the kit that has aborted. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw signal.reason
}
