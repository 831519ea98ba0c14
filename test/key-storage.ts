/** A storage in memory whose keys can be listed, as `localStorage`. */
export interface KeyStorage extends Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'> {
  readonly items: Map<string, string>
}

/** Creates an empty storage; pages with the same one are of one browser. */
export function keyStorage(): KeyStorage {
  const items = new Map<string, string>()
  return {
    items,
    get length() {
      return items.size
    },
    key: index => [...items.keys()][index] ?? null,
    getItem: key => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: key => void items.delete(key),
  }
}

/** A storage that refuses everything, as a browser's may. */
export function brokenStorage(): KeyStorage {
  const refuse = () => {
    throw new DOMException('QuotaExceededError')
  }
  const items = new Map<string, string>()
  return { items, length: 1, key: refuse, getItem: refuse, setItem: refuse, removeItem: refuse }
}
