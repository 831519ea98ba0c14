import * as v from 'valibot'
import { adminWrite, lacking } from '../declare'

/**
 * A token for the portal that configures the project's webhooks, and on newer releases the portal's `url`, which contains it. Both
 * are secrets, and no store contains them.
 *
 * @example
 * const { token } = await admin.createWebhookToken()
 */
export const createWebhookToken = adminWrite('POST /webhooks/svix-token', {
  returns: v.object({ token: v.string(), url: v.optional(v.string()) }),
  refreshes: () => [],
})

/**
 * Sends a test event to an endpoint of the project's webhooks, by its id in the portal of `createWebhookToken`. Whether the
 * endpoint took it is in `success`; a failure has `errorMessage`. A local platform has no portal and no ids: there it fails, and
 * says so.
 *
 * Throws NOT_ON_THIS_PLATFORM on release 2.8.18.
 *
 * @example
 * const { success, errorMessage } = await sendTestWebhook(admin, { endpointId: 'ep_2t9' })
 * if (!success) console.log(errorMessage)
 */
export const sendTestWebhook = adminWrite('POST /internal/send-test-webhook', {
  body: { endpointId: v.string() },
  returns: v.object({ success: v.boolean(), errorMessage: v.optional(v.string()) }),
  notOnPlatform: lacking(404),
  refreshes: () => [],
})
