import type { Engine } from '../model/engine'

export const dayMillis = 86_400_000

/** Today and the thirty days before. */
const daysKept = 31

/** The days of the metrics, oldest first; the last one is today. */
export function daysUntil(now: number): string[] {
  return Array.from({ length: daysKept }, (_, index) => dateOf(now - (daysKept - 1 - index) * dayMillis))
}

export function dateOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10)
}

/** Records that the user is active now, and deletes the user's days that no metric shows any more. */
export function noteActivity({ tables: { activity }, clock }: Engine, userId: string): void {
  const now = clock.now()
  const date = dateOf(now)
  activity.put({ id: `${userId} ${date}`, userId, date, lastAt: now })
  const oldest = dateOf(now - (daysKept - 1) * dayMillis)
  for (const row of activity.by('userId', [userId])) if (row.date < oldest) activity.delete(row.id)
}
