import { createWebhookToken } from '../../admin/webhooks'
import { randomText } from '../random-text'
import { serve } from '../serve'

/** 38 characters, as on the hosted platform. */
const tokenBits = 190

/** There is no portal that would ask for it. */
export const webhookTokenRoutes = [
  serve(createWebhookToken, { body: {}, status: 201 }, () => ({ token: randomText(tokenBits) })),
]
