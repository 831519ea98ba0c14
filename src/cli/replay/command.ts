import { parseJson } from '../../core/values'
import { version } from '../../core/version'
import { checked, type Checked } from '../../replay/checked'
import { decisionWords, inputWords, type DecisionEvent, type InputEvent, type RecordedEvent } from '../../replay/events'
import { difference, minimised, ownDecision, type Decides, type DecisionForm } from '../../replay/minimise'
import { played } from '../../replay/player'
import type * as platform from '../../replay/replay'
import { why } from '../../replay/why'
import type { AskedOf } from '../arguments'
import { printable, type Terminal } from '../terminal'
import { fileFault } from '../file-fault'
import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { isAuthError, saidBy } from '../../errors/auth-error'

/** `rxauth replay`: plays a recording and names the first decision that differs; resolves to the exit code. */
export async function replayFile(asked: AskedOf<'replay'>, terminal: Terminal): Promise<number> {
  const isFile = asked.file !== '-'
  const name = isFile ? asked.file : 'standard input'
  const chunks = isFile ? createReadStream(resolve(terminal.folder, name)) : terminal.input()
  const recording = readRecording(name, await readText(name, chunks))
  const { rxauth, events } = recording
  if (asked.asksWhy) return printWhy(events, terminal)
  if (asked.minimises) return printMinimised(name, recording, asked, terminal)
  const { divergence } = await played(recording, asked)
  const from = rxauth === version ? '' : `, recorded by rxauth ${printable(rxauth)}`
  terminal.out(`${printable(name)}: ${events.length} events${from}\n\n`)
  if (!divergence) {
    const count = events.filter(event => 'did' in event).length
    terminal.out(`rxauth ${version} decides as recorded, ${count} times.\n`)
    return 0
  }
  const { event, recorded, played: made, after } = divergence
  const since = after === undefined ? 'at the start' : `after ${inputWords(events[after] as InputEvent, events)}`
  terminal.out(
    `${placeOf(events[event] ?? events.at(-1), event)}: ${printable(since)} the recording ` +
      `${printable(decisionWords(recorded))}; rxauth ${version} ${printable(decisionWords(made))}.\n`,
  )
  return 1
}

function placeOf(event: { readonly at: number } | undefined, index: number): string {
  return `event ${index}, ${((event?.at ?? 0) / 1000).toFixed(1)} s`
}

function printWhy(events: readonly RecordedEvent[], terminal: Terminal): number {
  const found = why(events)
  for (const end of found) {
    terminal.out(`${placeOf(end, end.event)}: ${printable(end.text)}\n`)
    for (const link of end.chain) terminal.out(`  ${placeOf(link, link.event)}: ${printable(link.text)}\n`)
  }
  if (!found.some(({ hadSession }) => hadSession)) terminal.out('No session has ended in this recording.\n')
  return 0
}

/** Prints a test with the inputs that lead to a decision of this rxauth, or of the mended one alone; resolves to the exit code. */
async function printMinimised(name: string, recording: Checked, asked: AskedOf<'replay'>, terminal: Terminal) {
  const { events } = recording
  const mended = asked.mended === undefined ? undefined : decidesIn(resolve(terminal.folder, asked.mended))
  const meant = mended && asked.keep === undefined ? undefined : decisionAt(events, asked.keep)
  const found = mended ? await difference(recording, mended, meant) : meant && (await ownDecision(recording, meant))
  if (!found) {
    const recorded = meant ? ` The recording ${printable(decisionWords(meant))}.` : ''
    terminal.err(
      `This rxauth does not decide ${mended ? 'otherwise than the mended one' : 'so'}: nothing to test.${recorded}\n`,
    )
    return 0
  }
  terminal.err(`Plays ${name} with fewer and fewer of its ${events.length} events; this may take a while.\n`)
  const small = await minimised(recording, found)
  const { id, surroundings, after, ...decision } = found.wanted
  const input = small.events.indexOf(events[Number(after)] as RecordedEvent)
  const count = `${small.events.length} of ${events.length} events`
  const wanted = { ...decision, ...(input >= 0 && { after: input }) }
  terminal.out(testOf(small, wanted, found.makes === mended, `${name}, ${count}`))
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

/** The decisions of the rxauth in another folder. */
function decidesIn(folder: string): Decides {
  try {
    const { replay } = createRequire(join(folder, 'package.json'))('./dist/platform.cjs') as typeof platform
    // A kit tells all decisions for a part of a recording.
    return async ({ rxauth, events }) => {
      const part = { version: 2, rxauth, isPart: true, events } as const
      return (await replay(part)).decisions as readonly DecisionForm[]
    }
  } catch (error) {
    throw new Error(`--mended takes the folder of a built rxauth, which ${folder} is not: ${saidBy(error)}`, {
      cause: error,
    })
  }
}

/** The source of a value: in an object literal, "__proto__" would be the prototype. */
function sourceOf(value: unknown): string {
  return JSON.stringify(value).replaceAll('"__proto__":', '["__proto__"]:')
}

/** A test that imports rxauth, and fails while the inputs lead to the decision, or while they do not, if it is right. */
function testOf({ events, rxauth }: Checked, decision: object, isRight: boolean, from: string): string {
  const words = printable(decisionWords(decision as DecisionForm))
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
${events.map(({ index, ...event }) => `    ${sourceOf(event)},\n`).join('')}  ],
}

// ${isRight ? 'The mended rxauth' : 'The recording'} ${words}.
const ${isRight ? 'right' : 'wrong'} = ${sourceOf(decision)}

test('${isRight ? 'decides so' : 'does not decide so any more'}', async () => {
  const { decisions } = await replay(recording)
  const lacks = () => {
    for (const { id, ...decision } of decisions) assert.notDeepEqual(decision, ${isRight ? 'right' : 'wrong'})
  }
  ${isRight ? 'assert.throws(lacks)' : 'lacks()'}
})
`
}

/** As many events as a recording may have take less. */
const maxMegabytes = 100

/** Throws what is wrong with a recording, and what it should be. */
function readRecording(name: string, text: string): Checked {
  // The parser's message would have a piece of the file, which may be another one, with keys.
  const json = parseJson(text)
  if (json === undefined) throw refused(name, 'is not JSON, or not the whole file')
  try {
    const recording = checked(json)
    if (recording.events.some(event => 'end' in event)) return recording
  } catch (error) {
    throw isAuthError(error, 'INVALID_INPUT') ? refused(name, error.details.reason) : error
  }
  throw refused(name, 'has no event "end": it is not the whole recording')
}

async function readText(name: string, chunks: AsyncIterable<Uint8Array>): Promise<string> {
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
