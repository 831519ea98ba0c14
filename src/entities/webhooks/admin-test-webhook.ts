import * as v from 'valibot'
import { mutation } from '../../store/write/mutation'
import { endpoint } from '../../transport/endpoint'
import { lacking } from '../../transport/lacking'

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
export const sendTestWebhook = mutation(
  endpoint('POST /internal/send-test-webhook', {
    access: 'admin',
    body: { endpointId: v.string() },
    returns: v.object({ success: v.boolean(), errorMessage: v.optional(v.string()) }),
    notOnPlatform: lacking(404),
  }),
  { refreshes: () => [] },
)
