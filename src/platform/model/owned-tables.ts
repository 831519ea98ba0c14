import type { Row } from '../data/table'

/** An API key of a user or a team. */
export interface ApiKeyRow extends Row {
  readonly kind: 'user' | 'team'
  readonly ownerId: string
  /** The complete key. */
  readonly value: string
  readonly description: string
  readonly isPublic: boolean
  readonly createdAt: number
  /** Null: never. */
  readonly expiresAt: number | null
  readonly revokedAt: number | null
}

/** Whether a user wants mails of a category; its id is `user category`. Without a row the user wants them. */
export interface NotificationPreferenceRow extends Row {
  readonly userId: string
  readonly enabled: boolean
}

/** One day on which a user was active; its id is `${userId} ${date}`. The row stays after the user is deleted. */
export interface ActivityRow extends Row {
  readonly userId: string
  /** `YYYY-MM-DD` in UTC. */
  readonly date: string
  readonly lastAt: number
}
