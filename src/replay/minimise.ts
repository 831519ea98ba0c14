import { isAuthError } from '../errors/auth-error'
import type { Checked, RecordedEvent } from './checked'
import { Player } from './player'

/** The recording with the inputs alone that lead to a decision, and with the requests that their answers are to. */
export async function minimised(
  { events, rxauth }: Checked,
  isWanted: (decision: object) => boolean,
): Promise<Checked> {
  const withInputs = (inputs: ReadonlySet<RecordedEvent>) => {
    const kept = events.filter(event => !('in' in event) || inputs.has(event))
    const ids = new Set(kept.flatMap(event => ('in' in event && event.in === 'answer' ? [event.id] : [])))
    return kept.filter(event => !('did' in event) || (event.did === 'send' && ids.has(event.id)))
  }
  const isEnough = async (inputs: readonly RecordedEvent[]) => {
    try {
      return (await decisionsOf({ rxauth, events: withInputs(new Set(inputs)) })).some(isWanted)
    } catch (error) {
      if (isAuthError(error, 'INVALID_INPUT')) return false
      throw error
    }
  }
  const inputs = await fewest(
    events.filter(event => 'in' in event),
    isEnough,
  )
  const left = withInputs(new Set(inputs))
  const texts = JSON.stringify(left.filter(event => !('token' in event)))
  return { rxauth, events: left.filter(event => !('token' in event) || texts.includes(`"${event.token.name}"`)) }
}

/** The decisions of a kit for these inputs, whatever was decided when they were recorded. */
export async function decisionsOf(recording: Checked): Promise<readonly object[]> {
  const player = new Player({ ...recording, isPart: true })
  try {
    await player.play()
    return player.made
  } finally {
    player.app.end()
  }
}

/** Takes out as many items at once as it can, then half as many, until no single item is left that `isEnough` does without. */
async function fewest<T>(
  items: readonly T[],
  isEnough: (some: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let left = items
  let size = left.length
  while (size >= 1) {
    let isFewer = false
    // From the end: an event depends on earlier ones.
    for (let to = left.length; to > 0; to -= size) {
      const some = [...left.slice(0, Math.max(0, to - size)), ...left.slice(to)]
      if (!(await isEnough(some))) continue
      left = some
      isFewer = true
    }
    if (size === 1 && !isFewer) break
    size = Math.max(1, Math.floor(Math.min(size, left.length) / 2))
  }
  return left
}
