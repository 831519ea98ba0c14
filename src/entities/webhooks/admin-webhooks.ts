import * as v from 'valibot'
import { mutation } from '../../store/write/mutation'
import { endpoint } from '../../transport/endpoint'

/**
 * A token for the portal that configures the project's webhooks, and on newer releases the portal's `url`, which contains it. Both
 * are secrets, and no store contains them.
 *
 * @example
 * const { token } = await admin.createWebhookToken()
 */
export const createWebhookToken = mutation(
  endpoint('POST /webhooks/svix-token', {
    access: 'admin',
    returns: v.object({ token: v.string(), url: v.optional(v.string()) }),
  }),
  { refreshes: () => [] },
)
