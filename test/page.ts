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
  Object.assign(globalThis, { window, document, location: window['location'] })
  // Node has one of its own from version 21 on.
  if (!hadNavigator) Object.assign(globalThis, { navigator: { onLine: true } })
}

/** No page any more: a server, or a test that is over. */
export function leavePages(): void {
  for (const name of ['window', 'document', 'location', ...(hadNavigator ? [] : ['navigator'])])
    Reflect.deleteProperty(globalThis, name)
}
