import { useState } from 'react'

/** A call to the platform: whether it runs, and why it failed. */
export interface LocalAction<I extends unknown[]> {
  readonly run: (...input: I) => void
  readonly isRunning: boolean
  readonly error: Error | null
}

export function useLocalAction<I extends unknown[]>(act: (...input: I) => Promise<unknown>): LocalAction<I> {
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  return {
    isRunning,
    error,
    run(...input) {
      setRunning(true)
      setError(null)
      act(...input)
        .catch((thrown: unknown) => setError(thrown instanceof Error ? thrown : new Error(String(thrown))))
        .finally(() => setRunning(false))
    },
  }
}
