import { checkedEvents } from '../../../replay/checked'
import { minimise } from '../../../replay/minimise'
import { shownName } from '../../../replay/names'
import { endsOf, playedEnd } from '../../../replay/ends'
import type { Recording } from '../../../replay/ends'
import type { Terminal } from '../terminal'
import type { FileOfRecording } from './read-recording'
import { printable } from '../terminal'
import { stepsOf } from './steps'

/** Prints a test with the events that the kept parts of the end need; resolves to the exit code. */
export async function printMinimised(
  file: FileOfRecording,
  keep: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const { name, recording, events } = file
  const { recorded, played } = await endsOf(recording)
  const kept = [...new Set((keep.length > 0 ? keep : ['auth']).map(asked => partOf(asked, Object.keys(recorded))))]
  const lost = kept.filter(part => played[part] !== recorded[part])
  if (lost.length > 0) {
    const names = lost.map(part => printable(shownName(part))).join(', ')
    terminal.err(
      `rxauth: the playing of ${name} comes to another end of ${names}, which cannot be kept: run rxauth replay ${name}\n`,
    )
    return 1
  }
  terminal.err(`Plays ${name} with fewer and fewer of its ${events.length} events; this may take a while.\n`)
  const startedAt = performance.now()
  const small = await minimise(recording, end => kept.every(part => end[part] === recorded[part]))
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const count = `${small.events.length} of ${events.length} events`
  terminal.out(await testOf(small, kept, `${name}, ${count}`))
  terminal.err(`${count} are left, after ${seconds} s.\n`)
  return 0
}

/** The part of the end that is meant: `auth`, `teams`, `teams$`, or all of its name. */
function partOf(asked: string, parts: readonly string[]): string {
  const ways: ((part: string) => boolean)[] = [
    part => part === asked || shownName(part) === asked,
    part => shownName(part).split('$', 1)[0] === asked.split('$', 1)[0],
    part => part.includes(asked) || shownName(part).includes(asked),
  ]
  const found = ways.map(way => parts.filter(way)).find(some => some.length > 0) ?? []
  const [part] = found
  if (part !== undefined && found.length === 1) return part
  const names = (found.length > 0 ? found : parts).map(each => `\n  ${printable(shownName(each))}`).join('')
  throw new Error(
    `--keep takes a part of the end, and "${asked}" is ${found.length > 0 ? 'more than one' : 'none'} of them:${names}`,
  )
}

/** As the printed test has it: without the times at which something was loaded, and of an error its code. */
function plain(value: unknown): unknown {
  const text = JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key, part: unknown) {
    const { [key]: given } = this
    return given instanceof Error ? (given as { code?: unknown }).code : isTime.test(key) ? undefined : part
  })
  return JSON.parse(text)
}

const isTime = /^(fetched|failed)At$/

const plainSource = `/** Without the times at which something was loaded, and of an error its code. */
const plain = value =>
  JSON.parse(
    JSON.stringify(value, function (key, part) {
      return this[key] instanceof Error ? this[key].code : ${String(isTime)}.test(key) ? undefined : part
    }),
  )`

/** The source of a value: in an object literal, "__proto__" would be the prototype. */
function sourceOf(value: unknown): string {
  return JSON.stringify(value).replaceAll('"__proto__":', '["__proto__"]:')
}

/** A test of `recording` that imports rxauth, and asserts the kept parts of the end. */
async function testOf(recording: Recording, kept: readonly string[], from: string): Promise<string> {
  const { auth, stores } = await playedEnd(recording)
  const steps = stepsOf(checkedEvents(recording)).map(step => `//   ${step}\n`)
  const events = recording.events.map(event => `    ${sourceOf(event)},\n`)
  const asserted = kept.map(part => {
    const [name, value] = part === 'auth$' ? ['auth', auth] : [`stores[${JSON.stringify(part)}]`, stores[part]]
    return `  assert.deepEqual(plain(${name}), ${sourceOf(plain(value))})\n`
  })
  return `// From ${printable(from)}:
//
${steps.join('')}//
// Run it with node --test. In Jest leave out the import of node:test; in Vitest import test from vitest.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replay } from 'rxauth/platform'

const recording = {
  version: 1,
  events: [
${events.join('')}  ],
}

${plainSource}

test('comes to the end that was recorded', async () => {
  const { auth, stores } = await replay(recording)
  // The end as it was recorded. Write what it should be in its place: the test then fails until the fault is mended.
${asserted.join('')}})
`
}
