import { changePrimaryEmail } from 'rxauth'
import type { Samples } from '../../flows/samples'
import { callbackUrl } from '../../flows/stage'

export const samples: Samples = {
  sparse: {
    shapes: {
      'contact channel': {
        id: 'c',
        user_id: 'u',
        value: 'a@example.com',
        type: 'email',
        is_primary: false,
        is_verified: false,
        used_for_auth: false,
      },
    },
    answers: {
      'client|server GET /contact-channels': { items: 'contact channel' },
      'client|server POST /contact-channels': 'contact channel',
      'client|server PATCH /contact-channels/{}/{}': 'contact channel',
    },
    others: [
      'client|server DELETE /contact-channels/{}/{}',
      'client|server POST /contact-channels/{}/{}/send-verification-code',
    ],
  },
  client: {
    changePrimaryEmail: {
      wire: '2026',
      write: ({ app }) => changePrimaryEmail(app, { primaryEmail: 'lovelace@example.com' }),
    },
    'changePrimaryEmail, an address of the user': {
      wire: '2026',
      write: ({ app }) => changePrimaryEmail(app, { primaryEmail: 'countess@example.com' }),
    },
    createContactChannel: {
      fills: ['contactChannels$'],
      write: ({ app }) => app.createContactChannel({ value: 'home@example.com', isPrimary: true }),
    },
    updateContactChannel: {
      fills: ['contactChannels$'],
      write: ({ app, ids }) => app.updateContactChannel({ contactChannelId: ids.channel, isPrimary: true }),
    },
    deleteContactChannel: {
      fills: ['contactChannels$'],
      write: ({ app, ids }) => app.deleteContactChannel({ contactChannelId: ids.primary }),
    },
  },
  server: {
    createContactChannelById: {
      write: ({ app, ids }) =>
        app.createContactChannelById({ userId: ids.ada, value: 'home@example.com', isPrimary: true, isVerified: true }),
    },
    updateContactChannelById: {
      write: ({ app, ids }) =>
        app.updateContactChannelById({ userId: ids.ada, contactChannelId: ids.channel, isPrimary: true }),
    },
    deleteContactChannelById: {
      fills: ['contactChannelsOf$ ada'],
      write: ({ app, ids }) => app.deleteContactChannelById({ userId: ids.ada, contactChannelId: ids.primary }),
    },
  },
  mails: {
    sendContactChannelVerificationById: {
      write: ({ app, ids }) =>
        app.sendContactChannelVerificationById({ userId: ids.ada, contactChannelId: ids.channel, callbackUrl }),
    },
  },
  reads: ['sendContactChannelVerification'],
}
