type Environment = Readonly<Record<string, string | undefined>>

/** How often the parent's id is checked; the call is cheap. */
const lookMillis = 500

/**
 * Calls the listener once after `parent`, the shell in which npm runs this program, has ended; returns a function that
 * stops watching.
 *
 *  `npx` and `npm run` send SIGTERM to that shell only, and the shell does not forward it, so this program would keep
 * running without a parent.
 */
export function onNpmShellEnd(environment: Environment, parent: number, listener: () => void): () => void {
  if (!isAwaitedByNpm(environment)) return () => undefined
  const looking = setInterval(() => {
    // On Windows a process keeps the id of an ended parent; npm's commands end there as a tree.
    if (process.ppid === parent) return
    clearInterval(looking)
    listener()
  }, lookMillis)
  looking.unref()
  return () => clearInterval(looking)
}

/** Whether npm waits for this program. Background jobs of a script, and programs without npm, may outlive their parent. */
export function isAwaitedByNpm({ npm_lifecycle_script: script = '' }: Environment): boolean {
  return /\brxauth\b/.test(script) && !/(^|[^&>])&($|[^&>\d])/.test(script)
}
