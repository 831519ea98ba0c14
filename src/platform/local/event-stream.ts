import type { Observable, Subscription } from 'rxjs'
import type { Clock } from '../../core/clock'

/** Longer than that without a word, and what stands between may take the connection for dead. */
const beatMillis = 20_000

/** A reader that is so many events behind has gone: its browser begins anew and asks for what it has missed. */
const maxWaiting = 1000

interface Sent {
  readonly type: string
}

/** Server-sent events: each value as an event that is named by its `type`, until the source completes or the reader leaves. */
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
