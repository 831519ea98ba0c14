import { invalidInput } from '../../errors/auth-error'

/** The one category on every platform that users cannot switch off. */
const transactional = '7bb82d33-2f54-4a3d-9d23-82739e0d66ef'

/** The requested setting of one category. */
export interface NotificationWish {
  readonly notificationCategoryId: string
  readonly enabled: boolean
}

interface Preference extends NotificationWish {
  readonly notificationCategoryName: string
  readonly canDisable: boolean
}

/** Throws INVALID_INPUT for a category that cannot be switched off; the platform would accept it. */
export function requireSwitch(
  known: readonly Preference[],
  { notificationCategoryId: id, enabled }: NotificationWish,
): void {
  if (enabled) return
  const preference = known.find(({ notificationCategoryId }) => notificationCategoryId === id)
  const isFixed = preference ? !preference.canDisable : id === transactional
  if (!isFixed) return
  const name = preference?.notificationCategoryName ?? 'Transactional'
  throw invalidInput('enabled', `must be true: mails of the category "${name}" cannot be switched off`)
}

/** The preferences with the requested setting. */
export function switched<P extends Preference>(all: readonly P[], wish: NotificationWish): P[] {
  const { notificationCategoryId: id, enabled } = wish
  return all.map(each => (each.notificationCategoryId === id ? { ...each, enabled } : each))
}
