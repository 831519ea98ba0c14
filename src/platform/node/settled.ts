/**
 * Gives a function that is told at each look what state something is in. The listener is told of another state once that is the
 * same at two looks: a file that is just being written is empty, or not there.
 */
export function whenSettled(first: string, listener: () => void): (state: string) => void {
  let told = first
  let before = first
  return state => {
    const isSettled = state === before
    before = state
    if (!isSettled || state === told) return
    told = state
    listener()
  }
}
