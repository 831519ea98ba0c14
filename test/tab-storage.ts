/** The session storage of one tab. */
export interface TabStorage extends Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  readonly items: Map<string, string>
}

/** Creates an empty storage; pages with the same one are the same tab before and after a reload. */
export function tabStorage(): TabStorage {
  const items = new Map<string, string>()
  return {
    items,
    getItem: key => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: key => void items.delete(key),
  }
}
