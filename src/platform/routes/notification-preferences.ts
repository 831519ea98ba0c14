import { requireUser } from '../model/restriction'
import * as client from '../../entities/notification-preferences/client'
import * as server from '../../entities/notification-preferences/server'
import { requireSelf } from '../http/authenticate'
import { inProject, type Engine } from '../model/engine'
import { notificationCategories, setWants, wants, type NotificationCategory } from '../mail/outbox'
import { htmlPage } from '../http/html'
import { endpoint } from '../../transport/endpoint'
import { plain, refuse } from '../model/refusal'
import { asReply, serve, servePublic } from '../http/serve'
import { codeNotFound, consumeCode } from '../directory/verification-codes'

/** The link in mails of categories that can be switched off. */
const unsubscribe = endpoint('GET /emails/unsubscribe-link', { access: 'client' })

const codeLength = 45

export const routes = [
  serve(
    [client.notificationPreferences$, server.notificationPreferencesOf$],
    {},
    ({ engine, caller, input: { userId } }) => {
      requireSelf(caller, userId, 'notification preferences')
      requireUser(engine, userId)
      return notificationCategories.map(category => toPreference(engine, userId, category))
    },
  ),

  serve(
    [client.updateNotificationPreference, server.updateNotificationPreferenceById],
    {},
    ({ engine, caller, input }) => {
      const { userId } = input
      const category = notificationCategories.find(({ id }) => id === input.notificationCategoryId)
      if (!category) throw plain(404, 'Notification category not found')
      requireSelf(caller, userId, 'notification preferences')
      requireUser(engine, userId)
      setWants(engine, userId, category.id, input.enabled)
      return toPreference(engine, userId, category)
    },
  ),

  // Mail programs add their own parameters to links.
  servePublic(unsubscribe, { takesAnything: true }, ({ engine, sent: { code = '' } }) => {
    if (code.length !== codeLength) throw plain(400, 'This link is not complete: it has no code of 45 characters.')
    const { database } = engine
    const hasCode = (id: string) => database.of(id).verificationCodes.first('code', code.toLowerCase()) !== undefined
    // The link does not name the project.
    const found = database.projects.rows().find(({ id }) => hasCode(id))
    const project = inProject(engine, (found ?? refuse(codeNotFound())).id)
    const { userId = '', notificationCategoryId = '' } = consumeCode(project, 'unsubscribe', code)
    const category = notificationCategories.find(({ id }) => id === notificationCategoryId)
    if (!category || !project.tables.users.get(userId))
      throw plain(400, 'There is nothing to unsubscribe from any more.')
    setWants(project, userId, category.id, false)
    return asReply(htmlPage('Unsubscribed', `<p>You will get no more mails of the category ${category.name}.</p>`))
  }),
]

function toPreference(engine: Engine, userId: string, category: NotificationCategory) {
  return {
    notificationCategoryId: category.id,
    notificationCategoryName: category.name,
    enabled: wants(engine, userId, category),
    canDisable: category.canDisable,
  }
}
