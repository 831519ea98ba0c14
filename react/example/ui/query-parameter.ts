import { useState } from 'react'

/** A parameter of the address that has opened the page; null if it is missing or empty, as in a link that was cut off. */
export function useQueryParameter(name: string): string | null {
  const [value] = useState(() => new URLSearchParams(location.search).get(name) || null)
  return value
}
