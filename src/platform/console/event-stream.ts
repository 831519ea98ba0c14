import type { Observable, Subscription } from 'rxjs'
import type { Clock } from '../../core/clock'

/** The interval of heartbeats: proxies may close a connection that is silent for longer. */
const beatMillis = 20_000

/** A comment, which readers ignore. */
const stillHere = ': still here\n\n'

/** A reader with this many unread events is disconnected: its browser reconnects and asks for what it has missed. */
const maxWaiting = 1000

interface StreamEvent {
  readonly type: string
}

/** A server-sent event that is named by the `type` of the value. */
const named = ({ type, ...rest }: StreamEvent) => `event: ${type}\ndata: ${JSON.stringify(rest)}\n\n`

/** Server-sent events: each value as `textOf` writes it, until the source completes or the reader disconnects. */
export function eventStream<T extends StreamEvent>(
  source$: Observable<T>,
  first: T | undefined,
  clock: Clock,
  textOf: (value: T) => string = named,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let subscription: Subscription | undefined
  let stopBeating = () => {}
  let hasEnded = false

  function end(): void {
    hasEnded = true
    subscription?.unsubscribe()
    stopBeating()
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const close = () => {
          if (hasEnded) return
          end()
          controller.close()
        }
        const send = (text: string) => {
          if (hasEnded) return
          controller.enqueue(encoder.encode(text))
          if ((controller.desiredSize ?? 0) <= 0) close()
        }
        const tell = (value: T) => send(textOf(value))
        const beat = () => {
          stopBeating = clock.setTimeout(
            () => {
              send(stillHere)
              if (!hasEnded) beat()
            },
            beatMillis,
            { keepAlive: false },
          )
        }
        // Sent at once: some proxies forward the headers only with the first bytes.
        if (first) tell(first)
        else send(stillHere)
        beat()
        subscription = source$.subscribe({ next: tell, complete: close })
      },
      cancel: end,
    },
    { highWaterMark: maxWaiting },
  )
}
