/**
 * Returns a function that receives a state at each check. Calls the listener with a new state after two equal checks,
 * since a file that is being written is empty or missing for a moment.
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
