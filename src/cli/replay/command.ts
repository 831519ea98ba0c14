import { version } from '../../core/version'
import { checked } from '../../replay/checked'
import type { InputEvent } from '../../replay/checked'
import { played } from '../../replay/played'
import { why } from '../../replay/why'
import { decisionWords, inputWords, secondsOf } from '../../replay/words'
import type { ReplayAsked } from '../arguments'
import type { Terminal } from '../terminal'
import { printable } from '../terminal'
import { printMinimised } from './minimised'
import { readRecording } from './read-recording'
import type { FileOfRecording } from './read-recording'

/** `rxauth replay`: plays a recording and names the first decision that differs; resolves to the exit code. */
export async function replayFile(asked: ReplayAsked, terminal: Terminal): Promise<number> {
  const file = await readRecording(asked.file, terminal)
  if (asked.asksWhy) return printWhy(file, terminal)
  if (asked.minimises) return printMinimised(file, asked.keep, terminal)
  const { name, recording, events } = file
  const startedAt = performance.now()
  const { divergence } = await played(recording, { isStrict: asked.isStrict })
  const millis = Math.ceil(performance.now() - startedAt)
  const from = recording.rxauth === version ? '' : `, recorded by rxauth ${printable(recording.rxauth)}`
  terminal.out(`${printable(name)}: ${events.length} events${from}\n\n`)
  if (!divergence) {
    const count = events.filter(event => 'did' in event).length
    terminal.out(`rxauth ${version} decides as recorded, ${count} times. It was played in ${millis} ms.\n`)
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

/** Prints why each session has ended. */
function printWhy({ recording }: FileOfRecording, terminal: Terminal): number {
  const { events } = checked(recording)
  const at = (event: number) => `event ${event}, ${secondsOf(events[event]?.at ?? 0)}`
  const found = why(events)
  for (const { event, text, chain } of found) {
    terminal.out(`${at(event)}: ${printable(text)}\n`)
    for (const link of chain) terminal.out(`  ${at(link.event)}: ${printable(link.text)}\n`)
  }
  if (!found.some(({ hadSession }) => hadSession)) terminal.out('No session has ended in this recording.\n')
  return 0
}
