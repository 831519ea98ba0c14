import type { Engine } from './engine'

/** What mails there are, in the hosted platform's order. */
export const notificationCategories = [
  { id: '7bb82d33-2f54-4a3d-9d23-82739e0d66ef', name: 'Transactional', canDisable: false },
  { id: '4f6f8873-3d04-46bd-8bef-18338b1a1b4c', name: 'Marketing', canDisable: true },
] as const

/** One of them. */
export type NotificationCategory = (typeof notificationCategories)[number]

/** Whether the user wants the mails of the category; every user does until told otherwise. */
export function wants({ tables }: Engine, userId: string, { id }: NotificationCategory): boolean {
  return tables.notificationPreferences.get(`${userId} ${id}`)?.enabled ?? true
}

/** Categories that cannot be switched off are switched off all the same: that is for the app to prevent. */
export function setWants(
  { tables }: Engine,
  userId: string,
  { id }: Pick<NotificationCategory, 'id'>,
  enabled: boolean,
): void {
  tables.notificationPreferences.put({ id: `${userId} ${id}`, userId, enabled })
}
