import type { Observable, Subscription } from 'rxjs'
import type { Clock } from '../../core/clock'

/** The interval of heartbeats: proxies may close a connection that is silent for longer. */
const beatMillis = 20_000

/** A reader with this many unread events is disconnected: its browser reconnects and asks for what it has missed. */
const maxWaiting = 1000

interface Sent {
  readonly type: string
}

/** Server-sent events: each value is an event named by its `type`, until the source completes or the reader disconnects. */
export function eventStream(source$: Observable<Sent>, first: Sent, clock: Clock): ReadableStream<Uint8Array> {
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
        const tell = ({ type, ...rest }: Sent) => send(`event: ${type}\ndata: ${JSON.stringify(rest)}\n\n`)
        const beat = () => {
          stopBeating = clock.setTimeout(
            () => {
              send(': still here\n\n')
              if (!hasEnded) beat()
            },
            beatMillis,
            { keepAlive: false },
          )
        }
        tell(first)
        beat()
        subscription = source$.subscribe({ next: tell, complete: close })
      },
      cancel: end,
    },
    { highWaterMark: maxWaiting },
  )
}
