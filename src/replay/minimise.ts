import { isAuthError } from '../errors/auth-error'
import type { Checked, RecordedEvent } from './checked'
import { Player, textOf, type MadeDecision } from './player'

/**
 * The recording with the inputs alone that lead to a decision, and with the requests that their answers are to. The decision comes
 * after the same input as before, and with the same token store and page: a kit that has ignored an input of these still has it.
 * `isAlso`: what else has to be true of the events that are left.
 */
export async function minimised(
  { events, rxauth }: Checked,
  wanted: MadeDecision,
  isAlso: (some: readonly RecordedEvent[]) => Promise<boolean> = () => Promise.resolve(true),
): Promise<Checked> {
  const withInputs = (inputs: ReadonlySet<RecordedEvent>) => {
    const kept = events.filter(event => !('in' in event) || inputs.has(event))
    const ids = new Set(kept.flatMap(event => ('in' in event && event.in === 'answer' ? [event.id] : [])))
    return kept.filter(event => !('did' in event) || (event.did === 'send' && ids.has(event.id)))
  }
  const isEnough = async (inputs: readonly RecordedEvent[]) => {
    const some = withInputs(new Set(inputs))
    try {
      return (await decisionsOf({ rxauth, events: some })).some(made => isLike(made, wanted)) && (await isAlso(some))
    } catch (error) {
      if (isAuthError(error, 'INVALID_INPUT')) return false
      throw error
    }
  }
  const { after } = wanted
  const inputs = events.filter(event => 'in' in event)
  const before = inputs.slice(0, after ? inputs.indexOf(after) + 1 : 0)
  const left = withInputs(new Set(await fewest((await isEnough(before)) ? before : inputs, isEnough)))
  const texts = JSON.stringify(left.filter(event => !('token' in event)))
  return { rxauth, events: left.filter(event => !('token' in event) || texts.includes(`"${event.token.name}"`)) }
}

/** Whether two decisions are the same one, in two plays of inputs of one recording. */
export function isLike(one: MadeDecision, other: MadeDecision): boolean {
  return (
    textOf(one.decision) === textOf(other.decision) &&
    one.after === other.after &&
    one.surroundings === other.surroundings
  )
}

/** The decisions of a kit for these inputs, whatever was decided when they were recorded. */
export async function decisionsOf(recording: Checked): Promise<readonly MadeDecision[]> {
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
