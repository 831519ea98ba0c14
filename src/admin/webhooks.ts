import * as v from 'valibot'
import { mutation } from '../store/mutation'
import { endpoint } from '../transport/endpoint'

/**
 * A token for the portal in which the project's webhooks are set up. It is a secret, and no store keeps it.
 *
 * @example
 * const { token } = await admin.createWebhookToken()
 */
export const createWebhookToken = mutation(
  endpoint('POST /webhooks/svix-token', { access: 'admin', returns: v.object({ token: v.string() }) }),
  { refreshes: () => [] },
)
