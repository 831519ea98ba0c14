/** The result of `run`, or undefined if it throws. */
export function orUndefined<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

/** Parsed JSON of any writer, or undefined if it is invalid. */
export function parseJson(text: string): unknown {
  return orUndefined(() => JSON.parse(text) as unknown)
}
