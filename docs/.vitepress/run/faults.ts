import type { Fault } from 'rxauth/platform'

/** A fault of every request, by its name in the page. */
export type FaultName = '' | 'offline' | 'slow' | '429' | '500' | 'lost' | 'mail'

export const faults: readonly { readonly name: FaultName; readonly title: string; readonly fault?: Fault }[] = [
  { name: '', title: 'None' },
  { name: 'offline', title: 'Offline' },
  { name: 'slow', title: 'Slow: 3 seconds', fault: { delayMillis: 3000 } },
  { name: '429', title: 'Answered 429', fault: { status: 429, retryAfter: '5' } },
  { name: '500', title: 'Answered 500', fault: { status: 500 } },
  { name: 'lost', title: 'Answer lost', fault: { loseResponse: true } },
  { name: 'mail', title: 'No mail arrives' },
]
