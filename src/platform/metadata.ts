/** Metadata that has not been set. */
export function noMetadata<T>(): T {
  // Null is what the platform answers until somebody sets it; the app's own type for metadata cannot say so.
  return null as T
}
