const notes: ((error: unknown) => void)[] = []
afterEach(() => {
  for (const note of notes.splice(0)) process.off('unhandledRejection', note)
})

/** Unhandled rejections until the test ends, for which Node would end the process. */
export function unhandled(): unknown[] {
  const seen: unknown[] = []
  const note = (error: unknown) => seen.push(error)
  notes.push(note)
  process.on('unhandledRejection', note)
  return seen
}

/** Node reports unhandled rejections before the next task. */
export function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  return new Promise(resolve => {
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}
