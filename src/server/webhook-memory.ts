import { systemClock } from '../core/clock'
import type { Clock } from '../core/clock'

/**
 * Which deliveries have been taken. `webhookMemory()` is one for a single process; several share one where they all see it,
 * in Redis `SET id 1 NX PX keepMillis`.
 *
 * @example
 * const taken = new Set<string>()
 * const memory: WebhookMemory = { claim: id => !taken.has(id) && taken.add(id).has(id) }
 */
export interface WebhookMemory {
  /** Takes the delivery with this id, and keeps so for `keepMillis`. False: it has been taken before. */
  claim(id: string, keepMillis: number): boolean | PromiseLike<boolean>
}

/**
 * Deliveries that this process has taken. It keeps each for as long as its signature is good, ten minutes at most.
 *
 * @example
 * const memory = webhookMemory()
 * const event = await verifyWebhook(request, '…', { memory })
 */
export function webhookMemory({ clock = systemClock }: { readonly clock?: Clock } = {}): WebhookMemory & {
  /** Gives the delivery back, after its handling has failed: the platform will try again, under the same id. */
  release(id: string): void
} {
  /** Until when, in monotonic time. In the order of claiming. */
  const taken = new Map<string, number>()
  return {
    claim(id, keepMillis) {
      const now = clock.monotonic()
      for (const [old, until] of taken) {
        if (until > now) break
        taken.delete(old)
      }
      if ((taken.get(id) ?? 0) > now) return false
      taken.delete(id)
      taken.set(id, now + keepMillis)
      return true
    },
    release(id) {
      taken.delete(id)
    },
  }
}
