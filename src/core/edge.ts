/** A part of what edge runtimes have beside the globals of the web. */
interface EdgeGlobal {
  readonly navigator?: { readonly userAgent?: string }
}

/** Whether this is an edge runtime, where a promise of one request must not be awaited by another. */
export function isEdge(): boolean {
  const { navigator } = globalThis as EdgeGlobal
  return 'EdgeRuntime' in globalThis || navigator?.userAgent === 'Cloudflare-Workers'
}
