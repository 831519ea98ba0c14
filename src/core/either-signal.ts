/** Who is told of each signal's end: by one listener, since Node takes more than ten on one signal for a leak. */
const told = new WeakMap<AbortSignal, { readonly all: Set<() => void>; readonly tell: () => void }>()

/** A signal that aborts with the first of the two that does; `release` forgets both. */
export function eitherOf(
  first: AbortSignal,
  second: AbortSignal | undefined,
): { readonly signal: AbortSignal; readonly release: () => void } {
  // AbortSignal.any is younger than the browsers that this has to run in.
  const controller = new AbortController()
  const ends = [first, ...(second ? [second] : [])].map(signal => {
    const abort = () => {
      controller.abort(signal.reason)
    }
    if (signal.aborted) abort()
    return listen(signal, abort)
  })
  return {
    signal: controller.signal,
    release() {
      for (const end of ends) end()
    },
  }
}

function listen(signal: AbortSignal, abort: () => void): () => void {
  const known = told.get(signal)
  const all = known?.all ?? new Set()
  const tell =
    known?.tell ??
    (() => {
      for (const one of [...all]) one()
    })
  if (!known) {
    told.set(signal, { all, tell })
    signal.addEventListener('abort', tell, { once: true })
  }
  all.add(abort)
  return () => {
    all.delete(abort)
    if (all.size > 0 || told.get(signal)?.all !== all) return
    told.delete(signal)
    signal.removeEventListener('abort', tell)
  }
}
