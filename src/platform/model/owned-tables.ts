import * as v from 'valibot'
import { table } from '../data/table'
import type { RowOf } from '../data/table'

/** API keys of users and teams. */
export const apiKeys = table({
  columns: {
    kind: v.picklist(['user', 'team']),
    ownerId: v.string(),
    /** The complete key. */
    value: v.string(),
    description: v.string(),
    isPublic: v.boolean(),
    createdAt: v.number(),
    /** Null: never. */
    expiresAt: v.nullable(v.number()),
    revokedAt: v.nullable(v.number()),
  },
  indexes: {
    userId: row => (row.kind === 'user' ? [row.ownerId, row.createdAt] : undefined),
    teamId: row => (row.kind === 'team' ? [row.ownerId, row.createdAt] : undefined),
    value: row => row.value,
  },
  cascade: { users: 'userId', teams: 'teamId' },
})
export interface ApiKeyRow extends RowOf<typeof apiKeys> {}

/** Whether a user wants mails of a category; the id is `user category`. Without a row the user wants them. */
export const notificationPreferences = table({
  columns: { userId: v.string(), enabled: v.boolean() },
  indexes: { userId: row => row.userId },
  cascade: { users: 'userId' },
})

/** The days on which a user was active; the id is `${userId} ${date}`. A row stays after the user is deleted. */
export const activity = table({
  columns: {
    userId: v.string(),
    /** `YYYY-MM-DD` in UTC. */
    date: v.string(),
    lastAt: v.number(),
  },
  indexes: { userId: row => [row.userId, row.lastAt], date: row => row.date, lastAt: row => row.lastAt },
})
