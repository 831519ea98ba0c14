type Write = (error: Error, frames: NodeJS.CallSite[]) => unknown

const saying = ({ name, message }: Error) => `${name}: ${message}`

/**
 * Leaves the stacks of AuthErrors in the lines of the bundle. Their constructor reads the stack, and Jest looks up each frame in the
 * map of the bundle: a tenth of the time of most test files, for stacks that a failed test alone prints.
 *
 * The returned function gives an error that has failed a test, and its causes, the lines of the sources.
 */
export function leaveStacks(errors: ErrorConstructor): (failed: unknown) => void {
  const left = new WeakMap<Error, NodeJS.CallSite[]>()
  const { prepareStackTrace } = errors
  // Jest sets that of Node once the first environment is there.
  const write: Write = (error, frames) => (prepareStackTrace ?? Error.prepareStackTrace)(error, frames)
  errors.prepareStackTrace = (error, frames) => {
    if (error.name !== 'AuthError') return write(error, frames)
    left.set(error, frames)
    return [saying(error), ...frames.map(String)].join('\n    at ')
  }
  return function place(failed) {
    if (!(typeof failed === 'object' && failed !== null && 'stack' in failed)) return
    const error = failed as Error
    const frames = left.get(error)
    if (frames) {
      const [head] = error.stack!.split('\n    at ')
      const plain = new Error(error.message)
      error.stack = `${head}${String(write(plain, frames)).slice(saying(plain).length)}`
    }
    place(error.cause)
  }
}
