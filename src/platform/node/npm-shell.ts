type Environment = Readonly<Record<string, string | undefined>>

/** How often the parent is looked at; the call for it is a cheap one. */
const lookMillis = 500

/**
 * Calls the listener once, when `parent`, the shell in which npm runs this program, has ended; returns "stop looking".
 *
 * `npx` and `npm run` pass SIGTERM on to that shell only, and it passes nothing on: the program would go on without a
 * parent.
 */
export function onNpmShellEnd(environment: Environment, parent: number, listener: () => void): () => void {
  if (!isAwaitedByNpm(environment)) return () => undefined
  const looking = setInterval(() => {
    // On Windows a process keeps the id of a parent that has ended; there, npm's commands end as a tree.
    if (process.ppid === parent) return
    clearInterval(looking)
    listener()
  }, lookMillis)
  looking.unref()
  return () => clearInterval(looking)
}

/** Not what a script has put into the background to outlive it, nor what runs without npm: such a parent may end. */
export function isAwaitedByNpm({ npm_lifecycle_script: script = '' }: Environment): boolean {
  return /\brxauth\b/.test(script) && !/(^|[^&>])&($|[^&>\d])/.test(script)
}
