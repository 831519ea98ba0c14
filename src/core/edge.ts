/** A part of what edge runtimes have beside the globals of the web. */
interface EdgeGlobal {
  readonly navigator?: { readonly userAgent?: string }
}

/** Whether this is an edge runtime, where a promise of one request must not be awaited by another. */
export function isEdge(): boolean {
  const { navigator } = globalThis as EdgeGlobal
  // Cloudflare's workers have a navigator only from a compatibility date of 2022 on.
  const names = ['EdgeRuntime', 'WebSocketPair']
  return names.some(name => name in globalThis) || navigator?.userAgent === 'Cloudflare-Workers'
}
