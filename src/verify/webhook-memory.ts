import { systemClock } from '../core/clock'
import type { Clock } from '../core/clock'

/**
 * Remembers the handled deliveries. `webhookMemory()` is for one process; several processes need a shared memory, in Redis
 * `SET id 1 NX PX keepMillis`.
 *
 * @example
 * const taken = new Set<string>()
 * const memory: WebhookMemory = { claim: id => !taken.has(id) && taken.add(id).has(id) }
 */
export interface WebhookMemory {
  /** Records the delivery with this id for `keepMillis`. False: it was recorded before. */
  claim(id: string, keepMillis: number): boolean | PromiseLike<boolean>
}

/**
 * The deliveries that this process has handled, each for as long as its signature is accepted, ten minutes at most.
 *
 * @example
 * const memory = webhookMemory()
 * const event = await verifyWebhook(request, '…', { memory })
 */
export function webhookMemory({ clock = systemClock }: { readonly clock?: Clock } = {}): WebhookMemory & {
  /** Forgets the delivery after its handling has failed: the platform sends it again with the same id. */
  release(id: string): void
} {
  /** Expiry by id, in monotonic time and in the order of claims. */
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
