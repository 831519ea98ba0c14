import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { isAuthError, saidBy } from '../../errors/auth-error'
import { checked } from '../../replay/checked'
import type { Checked } from '../../replay/checked'
import type { Terminal } from '../terminal'

/** As many events as a recording may have take less. */
const maxMegabytes = 100

/** Reads a recording from a file, or from standard input. Rejects with what is wrong with it, and what it should be. */
export async function readRecording(asked: string, terminal: Terminal): Promise<Checked & { readonly name: string }> {
  const isFile = asked !== '-'
  const name = isFile ? asked : 'standard input'
  const text = await textOf(isFile ? createReadStream(resolve(terminal.folder, asked)) : terminal.input(), name)
  // The parser's message would have a piece of the file, which may be another one, with keys.
  const json = parsed(text, name)
  try {
    const recording = checked(json)
    if (recording.events.some(event => 'end' in event)) return { name, ...recording }
    throw refused(name, 'has no event "end": it is not the whole recording')
  } catch (error) {
    if (!isAuthError(error, 'INVALID_INPUT')) throw error
    throw refused(name, error.details.reason)
  }
}

async function textOf(chunks: AsyncIterable<Uint8Array>, name: string): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  try {
    for await (const part of chunks) {
      length += part.byteLength
      if (length > maxMegabytes * 1_000_000) break
      parts.push(part)
    }
  } catch (error) {
    throw new Error(`${name} cannot be read: ${withoutPath(error)}`, { cause: error })
  }
  if (length > maxMegabytes * 1_000_000)
    throw refused(name, `has more than ${maxMegabytes} MB, which no recording has that can be played`)
  const bytes = Buffer.concat(parts)
  return new TextDecoder().decode(isGzip(bytes) ? unzipped(bytes, name) : bytes)
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

function unzipped(bytes: Uint8Array, name: string): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxMegabytes * 1_000_000 })
  } catch (error) {
    throw refused(name, `cannot be unzipped: ${saidBy(error)}`)
  }
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw refused(name, 'is not JSON, or not the whole file')
  }
}

function refused(name: string, reason: string): Error {
  return new Error(
    `${name} ${reason}\nA recording is the text of JSON.stringify(await recording.stop()), as it was written, or that text zipped by gzip.`,
  )
}

/** `ENOENT: no such file or directory, open '/a/b'` names the file once more. */
function withoutPath(error: unknown): string {
  return saidBy(error).replace(/, \w+(?: '.*')?$/, '')
}
