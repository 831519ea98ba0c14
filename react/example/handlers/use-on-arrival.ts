import { useEffect, useRef } from 'react'

/** Runs once when the page opens: React's strict mode runs effects twice, and a mailed code can be checked only 20 times. */
export function useOnArrival(act: () => unknown): void {
  const hasBegun = useRef(false)
  useEffect(() => {
    if (hasBegun.current) return
    hasBegun.current = true
    act()
  })
}
