import * as v from 'valibot'
import { items, only, patch, serverStore, serverWrite, type Kit } from '../declare'
import { requireSwitch, switched, type NotificationWish } from './shape'
import { NotificationPreference, notificationPreferences$ } from './client'

/**
 * A user's mail settings: one entry for each category of the platform, in its order.
 *
 * @example
 * const preferences = await server.notificationPreferencesOf$({ userId: 'user-1' }).get()
 */
export const notificationPreferencesOf$ = serverStore('GET /emails/notification-preference/{userId}', {
  returns: items(NotificationPreference),
  partOf: 'owned',
})

/**
 * Switches the mails of one category on or off for a user, as `updateNotificationPreference` does for the signed-in user.
 *
 * @example
 * await server.updateNotificationPreferenceById({ userId: 'user-1', notificationCategoryId: 'category-1', enabled: false })
 */
export const updateNotificationPreferenceById = serverWrite(
  'PATCH /emails/notification-preference/{userId}/{notificationCategoryId}',
  {
    body: { enabled: v.boolean() },
    returns: NotificationPreference,
    fails: ['USER_NOT_FOUND'],
    prepare: unlessFixed,
    refreshes: ({ userId }) => [only(notificationPreferencesOf$, { userId }), notificationPreferences$],
    optimistic: ({ userId, ...wish }) => [patch(notificationPreferencesOf$, { userId }, all => switched(all, wish))],
    writes: ({ userId }, preference) => [
      patch(notificationPreferencesOf$, { userId }, all => switched(all, preference)),
    ],
  },
)

/** Whether a user wants the mails of a category. */
export interface NotificationWishOf extends NotificationWish {
  readonly userId: string
}

function unlessFixed(kit: Kit<'server'>, wish: NotificationWishOf): NotificationWishOf {
  const { userId } = wish
  const { snapshot } = notificationPreferencesOf$(kit, { userId })
  requireSwitch(snapshot.status === 'ready' ? snapshot.value : [], wish)
  return wish
}
