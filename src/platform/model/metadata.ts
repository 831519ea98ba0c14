/** The value of metadata that has not been set. */
export function noMetadata<T>(): T {
  // The platform answers null until metadata is set; the app's type for it has no null.
  return null as T
}
