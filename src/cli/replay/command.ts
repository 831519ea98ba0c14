import { version } from '../../core/version'
import type { InputEvent, RecordedEvent } from '../../replay/checked'
import { played } from '../../replay/played'
import { why } from '../../replay/why'
import { decisionWords, inputWords, secondsOf } from '../../replay/words'
import type { ReplayAsked } from '../arguments'
import type { Terminal } from '../terminal'
import { printable } from '../terminal'
import { printMinimised } from './minimised'
import { readRecording } from './read-recording'

/** `rxauth replay`: plays a recording and names the first decision that differs; resolves to the exit code. */
export async function replayFile(asked: ReplayAsked, terminal: Terminal): Promise<number> {
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

/** Prints why each session has ended. */
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
