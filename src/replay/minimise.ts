import { isAuthError } from '../errors/auth-error'
import type { Checked } from './checked'
import type { DecisionEvent, RecordedEvent } from './events'
import type { DecisionForm } from '../extras/record/forms'
import { isMinor, played, textOf, type MadeDecision } from './player'

export type { DecisionForm } from '../extras/record/forms'

type Recorded = readonly RecordedEvent[]

/** The decisions of a kit for the inputs of a recording, each with the number of the input before it. */
export type Decides = (recording: Checked) => Promise<readonly DecisionForm[]>

/** A decision of the kit `makes`, that the kit `lacks` does not make. */
export interface Wanted {
  readonly wanted: DecisionForm
  readonly makes: Decides
  readonly lacks?: Decides
}

/**
 * The recording with the inputs alone that lead to a decision, and with the requests that their answers are to. The decision comes
 * after the same input as before.
 */
export async function minimised(recording: Checked, { wanted, makes, lacks }: Wanted): Promise<Checked> {
  const { events, rxauth } = recording
  const text = textIn(wanted, events)
  const withInputs = (inputs: ReadonlySet<RecordedEvent>) => {
    const kept = events.filter(event => !('in' in event) || inputs.has(event))
    const ids = new Set(kept.flatMap(event => ('in' in event && event.in === 'answer' ? [event.id] : [])))
    return kept.filter(event => !('did' in event) || (event.did === 'send' && ids.has(event.id)))
  }
  const isEnough = async (inputs: Recorded) => {
    const some = withInputs(new Set(inputs))
    const isMade = async (decides: Decides) =>
      (await decides({ rxauth, events: some })).some(made => textIn(made, some) === text)
    try {
      return (await isMade(makes)) && !(lacks && (await isMade(lacks)))
    } catch (error) {
      if (isAuthError(error, 'INVALID_INPUT')) return false
      throw error
    }
  }
  const inputs = events.filter(event => 'in' in event)
  const before = inputs.slice(0, inputs.indexOf(events[Number(wanted['after'])] as (typeof inputs)[0]) + 1)
  const left = withInputs(new Set(await fewest((await isEnough(before)) ? before : inputs, isEnough)))
  const texts = JSON.stringify(left.filter(event => !('token' in event)))
  return { rxauth, events: left.filter(event => !('token' in event) || texts.includes(`"${event.token.name}"`)) }
}

/** The decision of this kit that is like `meant`; undefined: there is none. */
export async function ownDecision(recording: Checked, meant: DecisionEvent): Promise<Wanted | undefined> {
  const isMeant = ({ after, surroundings, ...made }: MadeDecision) => textOf(made) === textOf(meant)
  const same = (await decisionsOf(recording)).filter(isMeant)
  const wanted = same.filter(({ after = -1 }) => after < meant.index).at(-1) ?? same[0]
  return wanted && { wanted, makes: decisionsOf }
}

/** A decision that only one of two kits makes, this one or the mended one; the one that is like `meant`, if there is one. */
export async function difference(
  recording: Checked,
  mended: Decides,
  meant?: DecisionEvent,
): Promise<Wanted | undefined> {
  const own: Decides = async some => (await played({ ...some, isPart: true })).decisions
  const [mine, theirs] = [await own(recording), await mended(recording)]
  const lackedBy = (others: readonly DecisionForm[]) => {
    const texts = new Set(others.map(textOf))
    return (made: DecisionForm) => !texts.has(textOf(made))
  }
  const wrong = mine.filter(lackedBy(theirs))
  const isMeant = ({ after, ...made }: DecisionForm) => meant !== undefined && textOf(made) === textOf(meant)
  const all = [...wrong, ...theirs.filter(lackedBy(mine))]
  const wanted = wrong.find(isMeant) ?? all.find(made => !isMinor(made)) ?? all[0]
  if (!wanted) return undefined
  return wrong.includes(wanted) ? { wanted, makes: own, lacks: mended } : { wanted, makes: mended, lacks: own }
}

/**
 * The decisions of this kit for these inputs, whatever was decided when they were recorded, each with its token store and page: a kit
 * that has ignored an input of these still has it.
 */
export async function decisionsOf(recording: Checked): Promise<readonly MadeDecision[]> {
  return (await played({ ...recording, isPart: true })).made
}

/** The text by which two kits make the same decision after the same input, whatever other inputs there are. */
export function textIn(decision: DecisionForm, events: Recorded): string {
  return textOf({ ...decision, after: events[Number(decision['after'])]?.index })
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
