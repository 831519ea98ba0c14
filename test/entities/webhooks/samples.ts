import type { Samples } from '../../flows/samples'

export const samples: Samples = {
  reads: ['applyWebhook', 'sendTestWebhook', 'createWebhookToken'],
}
