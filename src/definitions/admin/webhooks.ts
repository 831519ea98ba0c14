import * as v from 'valibot'
import { mutation } from '../../store/mutation'
import { endpoint } from '../../transport/endpoint'

/**
 * A token for the portal that configures the project's webhooks. It is a secret, and no store contains it.
 *
 * @example
 * const { token } = await admin.createWebhookToken()
 */
export const createWebhookToken = mutation(
  endpoint('POST /webhooks/svix-token', { access: 'admin', returns: v.object({ token: v.string() }) }),
  { refreshes: () => [] },
)
