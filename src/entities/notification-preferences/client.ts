import * as v from 'valibot'
import { clientStore, clientWrite, items, patch, type Kit, type Shape } from '../declare'
import { requireSwitch, switched, type NotificationWish } from './shape'

const notificationPreference = v.object({
  notificationCategoryId: v.string(),
  notificationCategoryName: v.string(),
  enabled: v.boolean(),
  canDisable: v.boolean(),
})

/** Whether a user receives the mails of one category. */
export interface NotificationPreference extends v.InferOutput<typeof notificationPreference> {}
export const NotificationPreference: Shape<NotificationPreference> = notificationPreference

/**
 * The signed-in user's mail settings: one entry for each category of the platform, in its order.
 *
 * @example
 * app.notificationPreferences$.subscribe(preferences => console.log(preferences.length))
 */
export const notificationPreferences$ = clientStore('GET /emails/notification-preference/me', {
  returns: items(NotificationPreference),
  signedOut: [],
})

/**
 * Switches the mails of one category on or off for the signed-in user; shown at once.
 *
 * Throws INVALID_INPUT, before a request, for a category that cannot be switched off (`canDisable` is false); the platform
 * would accept it.
 *
 * @example
 * const [first] = await app.notificationPreferences$.get()
 * if (first) await app.updateNotificationPreference({ notificationCategoryId: first.notificationCategoryId, enabled: false })
 */
export const updateNotificationPreference = clientWrite(
  'PATCH /emails/notification-preference/me/{notificationCategoryId}',
  {
    body: { enabled: v.boolean() },
    returns: NotificationPreference,
    prepare: unlessFixed,
    refreshes: () => [notificationPreferences$],
    optimistic: wish => [patch(notificationPreferences$, {}, all => switched(all, wish))],
    writes: (_, preference) => [patch(notificationPreferences$, {}, all => switched(all, preference))],
  },
)

function unlessFixed(kit: Kit, wish: NotificationWish): NotificationWish {
  const { snapshot } = notificationPreferences$(kit)
  requireSwitch(snapshot.status === 'ready' ? snapshot.value : [], wish)
  return wish
}
