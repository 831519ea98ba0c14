const hadNavigator = 'navigator' in globalThis

/** Makes the program look like a page with this window, until `leavePages()`. */
export function showPage(window: Readonly<Record<string, unknown>>): void {
  const document = {
    createElement: () => undefined,
    cookie: '',
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    visibilityState: 'visible',
  }
  const events = new EventTarget()
  // As the window's own, which keeps those that the test gives it.
  for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const)
    if (!(name in window)) Reflect.set(window, name, events[name].bind(events))
  Object.assign(globalThis, { window, document, location: window['location'] })
  // Node has its own from version 21 on.
  if (!hadNavigator) Object.assign(globalThis, { navigator: { onLine: true } })
}

/** Makes the program look like a worker with this scope, until the returned function is called. */
export function showWorker(scope: string, globals: Readonly<Record<string, unknown>> = {}): () => void {
  const kind = Object.defineProperty(function () {}, Symbol.hasInstance, { value: (it: unknown) => it === globalThis })
  const shown = { [scope]: kind, WorkerGlobalScope: kind, self: globalThis, ...globals }
  const before = Object.getOwnPropertyDescriptors(globalThis) as Record<string, PropertyDescriptor>
  for (const [name, value] of Object.entries(shown))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  return () => {
    for (const name of Object.keys(shown)) {
      const { [name]: was } = before
      if (was) Object.defineProperty(globalThis, name, was)
      else Reflect.deleteProperty(globalThis, name)
    }
  }
}

/** Removes the page: the program is a server again. */
export function leavePages(): void {
  for (const name of ['window', 'document', 'location', ...(hadNavigator ? [] : ['navigator'])])
    Reflect.deleteProperty(globalThis, name)
}
