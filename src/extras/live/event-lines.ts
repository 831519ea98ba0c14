import type { Connection } from './attempt'
import { longestText } from './touched-by'

interface LineReader {
  /** A field of a server-sent event. Each event has its data in one line. */
  field(name: string, value: string): void
  opened?(): void
  /** An open connection has ended. */
  lost?(): void
  /** The answer is not a stream of events. */
  refused(response: Response): void
}

type StatusListener = (event: { readonly status?: number | undefined }) => void

/** The lines of server-sent events, as a connection. */
export function eventLines(request: () => Promise<Response>, reader: LineReader): Connection {
  const lines = new EventLines(request, reader)
  // As much of an EventTarget as a live connection uses.
  return lines as Pick<EventLines, keyof EventLines> as Connection
}

/** React Native has no `EventTarget` to extend. */
class EventLines {
  readonly #listeners = new Map<string, StatusListener>()
  #parts: ReadableStreamDefaultReader<Uint8Array> | undefined

  constructor(request: () => Promise<Response>, reader: LineReader) {
    void this.#read(request, reader)
  }

  addEventListener(type: string, listener: StatusListener): void {
    this.#listeners.set(type, listener)
  }

  /** The signal ends the request. Not every `fetch` ends a response that has begun, so its reader is cancelled too. */
  close(): void {
    this.#parts?.cancel().catch(() => undefined)
  }

  async #read(request: () => Promise<Response>, reader: LineReader): Promise<void> {
    let isOpen = false
    try {
      const response = await request()
      const { status, ok, body, headers } = response
      if (!ok || !body || !/^text\/event-stream/i.test(headers.get('content-type') ?? '')) {
        void body?.cancel().catch(() => undefined)
        reader.refused(response)
        this.#tell('error', status)
        return
      }
      isOpen = true
      reader.opened?.()
      this.#tell('open')
      const parts = (this.#parts = body.getReader())
      const decoder = new TextDecoder()
      let rest = ''
      for (let next = await parts.read(); !next.done; next = await parts.read()) {
        // A CR at the end may be half of a CR and LF.
        const lines = (rest + decoder.decode(next.value, { stream: true })).split(/\r\n|\n|\r(?!$)/)
        rest = lines.pop() ?? ''
        for (const line of lines) {
          const [, name = '', value = ''] = /^(\w+): ?(.*)$/s.exec(line) ?? []
          if (name) reader.field(name, value)
        }
        if (rest.length > longestText) break
      }
    } catch {
      // The other side is not there at the moment, or the connection is lost.
    }
    if (isOpen) reader.lost?.()
    this.#tell('close')
  }

  #tell(type: string, status?: number): void {
    this.#listeners.get(type)?.({ status })
  }
}
