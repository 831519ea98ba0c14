import { endsOf } from '../../../replay/ends'
import { shownName } from '../../../replay/names'
import type { ReplayAsked } from '../arguments'
import type { Terminal } from '../terminal'
import { readRecording } from './read-recording'
import { printMinimised } from './minimised'
import { printable } from '../terminal'
import { stepsOf } from './steps'

/** `rxauth replay`: plays a recording and compares the ends; resolves to the exit code. */
export async function replayFile(asked: ReplayAsked, terminal: Terminal): Promise<number> {
  const file = await readRecording(asked.file, terminal)
  if (asked.minimises) return printMinimised(file, asked.keep, terminal)
  const { name, recording, events } = file
  terminal.out(
    `${printable(name)}: ${events.length} events\n\n${stepsOf(events)
      .map(step => `${step}\n`)
      .join('')}\n`,
  )
  const startedAt = performance.now()
  const { recorded, played } = await endsOf(recording)
  const millis = Math.ceil(performance.now() - startedAt)
  const parts = [...new Set([...Object.keys(recorded), ...Object.keys(played)])]
  const differing = parts.filter(part => recorded[part] !== played[part])
  const lines = parts.map(part => {
    const title = printable(shownName(part))
    return differing.includes(part)
      ? `  ${title} differs\n    recorded  ${shownPart(recorded[part])}\n    played    ${shownPart(played[part])}\n`
      : `  ${title}  ${shownPart(recorded[part])}\n`
  })
  const verdict =
    differing.length === 0
      ? 'The end of the playing is the one of the recording.'
      : `The end of the playing differs in ${differing.length} of ${parts.length} parts.`
  terminal.out(`The end:\n${lines.join('')}\n${verdict} It was played in ${millis} ms.\n`)
  return differing.length === 0 ? 0 : 1
}

/** The JSON of a part of an end. */
function shownPart(text: string | undefined): string {
  return text === undefined ? 'is not there' : printable(text.replace(/^\{"part":(.*)\}$/s, '$1'))
}
