import type { PlannedFault } from 'rxauth/platform'

interface FaultKind {
  readonly id: string
  readonly title: string
  readonly fault: PlannedFault['fault']
}

/** The offered faults of requests, and of the mail server, with their titles. */
export const kinds: readonly FaultKind[] = [
  { id: '500', title: 'Answered 500', fault: { status: 500 } },
  { id: '503', title: 'Answered 503', fault: { status: 503 } },
  { id: '429', title: 'Answered 429, with a retry after 5 seconds', fault: { status: 429, retryAfter: '5' } },
  { id: 'slow', title: 'Delayed by 3 seconds', fault: { delayMillis: 3000 } },
  { id: 'slower', title: 'Delayed by 30 seconds', fault: { delayMillis: 30_000 } },
  { id: 'lost', title: 'Done, but the answer is lost', fault: { loseResponse: true } },
  { id: 'truncated', title: 'Answered with half a body', fault: { body: 'truncated' } },
  { id: 'garbage', title: 'Answered with a page instead of JSON', fault: { body: 'garbage' } },
  { id: 'wrong-code', title: 'Answered with a header that the body contradicts', fault: { body: 'wrong-code' } },
  { id: 'mail', title: 'No mail arrives: the mail server refuses connections', fault: { mail: 'refused' } },
]

/** A fault as text, also one that a test has set. */
export function wordsForFault(fault: PlannedFault['fault']): string {
  const { times: _times, ...rest } = { times: undefined, ...fault }
  const text = JSON.stringify(rest)
  return kinds.find(kind => JSON.stringify(kind.fault) === text)?.title ?? text
}
