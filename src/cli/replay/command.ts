import { parseJson } from '../../core/values'
import { version } from '../../core/version'
import { checked, type Checked, type DecisionEvent, type InputEvent, type RecordedEvent } from '../../replay/checked'
import { played } from '../../replay/played'
import { why } from '../../replay/why'
import { decisionWords, inputWords, secondsOf } from '../../replay/words'
import type { AskedOf } from '../arguments'
import { printable, type Terminal } from '../terminal'
import { fileFault } from '../file-fault'
import { decisionsOf, minimised } from '../../replay/minimise'
import { decisionIn, textOf, type DecisionForm, type MadeDecision } from '../../replay/player'
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { isAuthError, saidBy } from '../../errors/auth-error'

/** `rxauth replay`: plays a recording and names the first decision that differs; resolves to the exit code. */
export async function replayFile(asked: AskedOf<'replay'>, terminal: Terminal): Promise<number> {
  const recording = await readRecording(asked.file, terminal)
  const { name, rxauth, events } = recording
  if (asked.asksWhy) return printWhy(events, terminal)
  if (asked.minimises) return printMinimised(name, recording, asked.keep, terminal)
  const { divergence } = await played(recording, { isStrict: asked.isStrict })
  const from = rxauth === version ? '' : `, recorded by rxauth ${printable(rxauth)}`
  terminal.out(`${printable(name)}: ${events.length} events${from}\n\n`)
  if (!divergence) {
    const count = events.filter(event => 'did' in event).length
    terminal.out(`rxauth ${version} decides as recorded, ${count} times.\n`)
    return 0
  }
  const { event, recorded, played: made, after } = divergence
  const input = after === undefined ? undefined : (events[after] as InputEvent)
  const since = input ? `after ${inputWords(input, events)}` : 'at the start'
  terminal.out(
    `event ${event}, ${secondsOf((events[event] ?? events.at(-1))?.at ?? 0)}: ${printable(since)} the recording ` +
      `${printable(decisionWords(recorded))}; rxauth ${version} ${printable(decisionWords(made))}.\n`,
  )
  return 1
}

function printWhy(events: readonly RecordedEvent[], terminal: Terminal): number {
  const at = (event: number) => `event ${event}, ${secondsOf(events[event]?.at ?? 0)}`
  const found = why(events)
  for (const { event, text, chain } of found) {
    terminal.out(`${at(event)}: ${printable(text)}\n`)
    for (const link of chain) terminal.out(`  ${at(link.event)}: ${printable(link.text)}\n`)
  }
  if (!found.some(({ hadSession }) => hadSession)) terminal.out('No session has ended in this recording.\n')
  return 0
}

/** Prints a test with the inputs that lead to a decision; resolves to the exit code. `keep`: the number of its event. */
async function printMinimised(
  name: string,
  recording: Checked,
  keep: number | undefined,
  terminal: Terminal,
): Promise<number> {
  const { events } = recording
  const wanted = decisionAt(events, keep)
  const same = (await decisionsOf(recording)).filter(({ decision }) => textOf(decision) === textOf(wanted))
  const isBefore = ({ after }: MadeDecision) => !after || events.indexOf(after) < events.indexOf(wanted)
  const made = same.filter(isBefore).at(-1) ?? same[0]
  if (!made) {
    terminal.err(
      `This rxauth does not decide so: nothing to test. The recording ${printable(decisionWords(wanted))}.\n`,
    )
    return 0
  }
  terminal.err(`Plays ${name} with fewer and fewer of its ${events.length} events; this may take a while.\n`)
  const small = await minimised(recording, made)
  const count = `${small.events.length} of ${events.length} events`
  terminal.out(testOf(small, decisionIn(made, small.events), `${name}, ${count}`))
  terminal.err(`${count} are left.\n`)
  return 0
}

/** The decision of this number; without one, the last that has ended a session. */
function decisionAt(events: readonly RecordedEvent[], keep: number | undefined): DecisionEvent {
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
function testOf({ events, rxauth }: Checked, { id, ...wanted }: DecisionForm, from: string): string {
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

/** As many events as a recording may have take less. */
const maxMegabytes = 100

/** Reads a recording from a file, or from standard input. Rejects with what is wrong with it, and what it should be. */
async function readRecording(asked: string, terminal: Terminal): Promise<Checked & { readonly name: string }> {
  const isFile = asked !== '-'
  const name = isFile ? asked : 'standard input'
  const text = await readText(isFile ? createReadStream(resolve(terminal.folder, asked)) : terminal.input(), name)
  // The parser's message would have a piece of the file, which may be another one, with keys.
  const json = parseJson(text)
  if (json === undefined) throw refused(name, 'is not JSON, or not the whole file')
  try {
    const recording = checked(json)
    if (recording.events.some(event => 'end' in event)) return { name, ...recording }
    throw refused(name, 'has no event "end": it is not the whole recording')
  } catch (error) {
    if (!isAuthError(error, 'INVALID_INPUT')) throw error
    throw refused(name, error.details.reason)
  }
}

async function readText(chunks: AsyncIterable<Uint8Array>, name: string): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  try {
    for await (const part of chunks) {
      length += part.byteLength
      if (length > maxMegabytes * 1_000_000) break
      parts.push(part)
    }
  } catch (error) {
    throw new Error(`${name} cannot be read: ${fileFault(error)}`, { cause: error })
  }
  if (length > maxMegabytes * 1_000_000)
    throw refused(name, `has more than ${maxMegabytes} MB, which no recording has that can be played`)
  const bytes = Buffer.concat(parts)
  try {
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
    return new TextDecoder().decode(isGzip ? gunzipSync(bytes, { maxOutputLength: maxMegabytes * 1_000_000 }) : bytes)
  } catch (error) {
    throw refused(name, `cannot be unzipped: ${saidBy(error)}`)
  }
}

function refused(name: string, reason: string): Error {
  return new Error(
    `${name} ${reason}\nA recording is the text of JSON.stringify(await recording.stop()), as it was written, or that text zipped by gzip.`,
  )
}
