import { useEffect, useRef } from 'react'

/** Does it once, when the page comes up. React's strict mode runs effects twice, and a mailed code can be checked twenty times only. */
export function useOnArrival(act: () => unknown): void {
  const hasBegun = useRef(false)
  useEffect(() => {
    if (hasBegun.current) return
    hasBegun.current = true
    act()
  })
}
