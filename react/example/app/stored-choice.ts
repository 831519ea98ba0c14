/** A choice of the user that the browser keeps for all tabs; null until there is one, and where its storage is forbidden. */
export function storedChoice(key: string, onChange: (chosen: string | null) => void = () => undefined) {
  const listeners = new Set<() => void>()
  let chosen = stored()

  function stored(): string | null {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }

  function show(next: string | null): void {
    chosen = next
    onChange(next)
    for (const listener of listeners) listener()
  }

  // Another tab has chosen; null if the storage is emptied.
  addEventListener('storage', ({ key: changed, newValue }) => {
    if (changed === key || changed === null) show(newValue)
  })

  return {
    read: () => chosen,
    choose(next: string): void {
      show(next)
      try {
        localStorage.setItem(key, next)
      } catch {
        // The storage is full or forbidden: the choice lasts until the page is left.
      }
    },
    /** Calls the listener when the choice changes, and at an event of the browser's own settings. */
    subscribe: (settings: EventTarget, event: string) => (listener: () => void) => {
      listeners.add(listener)
      settings.addEventListener(event, listener)
      return () => {
        listeners.delete(listener)
        settings.removeEventListener(event, listener)
      }
    },
  }
}
