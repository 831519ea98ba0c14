import type { Checked, RecordedEvent } from '../../replay/checked'
import { decisionsOf, minimised } from '../../replay/minimise'
import type { DecisionForm } from '../../replay/player'
import { textOf } from '../../replay/player'
import { decisionWords } from '../../replay/words'
import type { Terminal } from '../terminal'
import { printable } from '../terminal'

/** Prints a test with the inputs that lead to a decision; resolves to the exit code. `keep`: the number of its event. */
export async function printMinimised(
  name: string,
  recording: Checked,
  keep: number | undefined,
  terminal: Terminal,
): Promise<number> {
  const { events } = recording
  const { at, turn, step, id, ...wanted } = decisionAt(events, keep)
  const text = textOf(wanted)
  const isWanted = (decision: object) => textOf(decision) === text
  if (!(await decisionsOf(recording)).some(isWanted)) {
    terminal.err(
      `This rxauth does not decide so: nothing to test. The recording ${printable(decisionWords(wanted))}.\n`,
    )
    return 0
  }
  terminal.err(`Plays ${name} with fewer and fewer of its ${events.length} events; this may take a while.\n`)
  const small = await minimised(recording, isWanted)
  const count = `${small.events.length} of ${events.length} events`
  terminal.out(testOf(small, wanted, `${name}, ${count}`))
  terminal.err(`${count} are left.\n`)
  return 0
}

/** The decision of this number; without one, the last that has ended a session. */
function decisionAt(events: readonly RecordedEvent[], keep: number | undefined): DecisionForm {
  const isEnd = (event: RecordedEvent) => 'did' in event && event.did === 'identity' && event.to === 'signed-out'
  const found = keep === undefined ? events.filter(isEnd).at(-1) : events[keep]
  if (found && 'did' in found) return found
  throw new Error(
    keep === undefined
      ? 'no session has ended in this recording: --keep takes the number of the event with the decision that is wrong'
      : `event ${keep} is no decision: --keep takes the number that rxauth replay prints`,
  )
}

/** The source of a value: in an object literal, "__proto__" would be the prototype. */
function sourceOf(value: unknown): string {
  return JSON.stringify(value).replaceAll('"__proto__":', '["__proto__"]:')
}

/** A test that imports rxauth, and fails while the inputs lead to the decision. */
function testOf({ events, rxauth }: Checked, wanted: DecisionForm, from: string): string {
  return `// From ${printable(from)}.
// Run it with node --test. In Jest leave out the import of node:test; in Vitest import test from vitest.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replay } from 'rxauth/platform'

const recording = {
  version: 2,
  rxauth: ${sourceOf(rxauth)},
  isPart: true,
  events: [
${events.map(event => `    ${sourceOf(event)},\n`).join('')}  ],
}

// The recording ${printable(decisionWords(wanted))}.
const wrong = ${sourceOf(wanted)}

test('does not decide so any more', async () => {
  const { decisions } = await replay(recording)
  for (const { id, ...decision } of decisions) assert.notDeepEqual(decision, wrong)
})
`
}
