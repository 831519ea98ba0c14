import type { Engine } from './engine'

/** The categories of mails, in the hosted platform's order. */
export const notificationCategories = [
  { id: '7bb82d33-2f54-4a3d-9d23-82739e0d66ef', name: 'Transactional', canDisable: false },
  { id: '4f6f8873-3d04-46bd-8bef-18338b1a1b4c', name: 'Marketing', canDisable: true },
] as const

export type NotificationCategory = (typeof notificationCategories)[number]

/** Whether the user wants mails of the category; true until switched off. */
export function wants({ tables }: Engine, userId: string, { id }: NotificationCategory): boolean {
  return tables.notificationPreferences.get(`${userId} ${id}`)?.enabled ?? true
}

/** Stores the preference, also for categories that cannot be switched off: hiding their switch is the app's job. */
export function setWants(
  { tables }: Engine,
  userId: string,
  { id }: Pick<NotificationCategory, 'id'>,
  enabled: boolean,
): void {
  tables.notificationPreferences.put({ id: `${userId} ${id}`, userId, enabled })
}
