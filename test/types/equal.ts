/** Compiles only for `true`. */
export type Expect<T extends true> = T

/** Whether two types are the same, not merely assignable to each other. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
