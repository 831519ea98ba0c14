/** A shortest list of steps that it finds for which `fails` still holds: halves are left out, then quarters, down to single steps. */
export async function minimised<T>(
  steps: readonly T[],
  fails: (steps: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let left = steps
  for (let size = Math.ceil(left.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let at = 0; at < left.length;) {
      const fewer = left.filter((_, index) => index < at || index >= at + size)
      if (await fails(fewer)) left = fewer
      else at += size
    }
  return left
}
