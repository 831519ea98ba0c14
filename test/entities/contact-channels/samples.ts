import { changePrimaryEmail } from 'rxauth'
import type { ClientApp, Store } from 'rxauth'
import { field, nothing, one } from '../../flows/samples'
import type { Row, Samples } from '../../flows/samples'
import { callbackUrl } from '../../flows/stage'

const channels = '/contact-channels/{userId}/{contactChannelId}'
const channelsOf = (app: ClientApp): Store<readonly Row[]> => app.contactChannels$

async function channel(app: ClientApp): Promise<string> {
  const added = await app.createContactChannel({ value: 'home@example.com' })
  if (!added.ok) throw added.error
  return added.value.id
}

export const samples: Samples = {
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
  owned: [
    {
      name: 'who adds an address',
      route: 'POST /contact-channels',
      isRepeated: false,
      prepare: nothing,
      store: channelsOf,
      write: app => app.createContactChannel({ value: 'new@example.com' }),
      isDone: shown => shown.some(row => field(row, 'value') === 'new@example.com'),
    },
    {
      name: 'who makes an address the primary one',
      route: `PATCH ${channels}`,
      isRepeated: false,
      prepare: channel,
      store: channelsOf,
      write: (app, contactChannelId) => app.updateContactChannel({ contactChannelId, isPrimary: true }),
      isDone: (shown, id) => field(one(shown, id), 'isPrimary') === true,
    },
    {
      name: 'who takes an address away',
      route: `DELETE ${channels}`,
      isRepeated: true,
      prepare: channel,
      store: channelsOf,
      write: (app, contactChannelId) => app.deleteContactChannel({ contactChannelId }),
      isDone: (shown, id) => one(shown, id) === undefined,
    },
  ],
}
