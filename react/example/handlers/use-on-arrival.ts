import { useEffect, useRef } from 'react'

/** Does it once, when the page comes up. React's strict mode runs effects twice; twenty questions use a mailed code up. */
export function useOnArrival(act: () => unknown): void {
  const hasBegun = useRef(false)
  useEffect(() => {
    if (hasBegun.current) return
    hasBegun.current = true
    act()
  })
}
