import { deleteOAuthProvider, oauthProviders$, orThrow, providerAccounts$, updateOAuthProvider } from 'rxauth'
import type { ClientApp } from 'rxauth'
import {
  createOAuthProviderById,
  createServerApp,
  deleteOAuthProviderById,
  updateOAuthProviderById,
} from 'rxauth/server'
import type { RequestApp } from 'rxauth/server'
import type { Platform } from 'rxauth/platform'
import type { Samples } from '../../flows/samples'
import type { Stage } from '../../flows/stage'

const account = { providerConfigId: 'github', accountId: '7', allowSignIn: true, allowConnectedAccounts: true }

/** Links an account of GitHub to the user; the link's id. */
async function link(app: ClientApp, { serverOptions }: Platform): Promise<string> {
  const { id: userId } = (await app.user$.get())!
  const server = createServerApp(serverOptions)
  const { id } = orThrow(await createOAuthProviderById(server, { ...account, userId }))
  server.dispose()
  return id
}

/** Links an account; the link's id, which every list of the app has. */
async function linkAndLoad({ app, platform }: Stage): Promise<string> {
  const id = await link(app, platform)
  await Promise.all([oauthProviders$(app), providerAccounts$(app), app.anyUser$].map(async store => store.refresh()))
  return id
}

const linkById = async ({ app, ids }: Stage<RequestApp>) =>
  orThrow(await createOAuthProviderById(app, { ...account, userId: ids.ada })).id

export const samples: Samples = {
  client: {
    updateOAuthProvider: {
      fills: ['oauthProviders$'],
      wire: '2026',
      prepare: linkAndLoad,
      write: ({ app }, oauthProviderId: string) =>
        updateOAuthProvider(app, { oauthProviderId, allowConnectedAccounts: false }),
    },
    deleteOAuthProvider: {
      fills: ['oauthProviders$'],
      wire: '2026',
      prepare: linkAndLoad,
      write: ({ app }, oauthProviderId: string) => deleteOAuthProvider(app, { oauthProviderId }),
    },
  },
  server: {
    createOAuthProviderById: {
      wire: '2026',
      write: ({ app, ids }) => createOAuthProviderById(app, { ...account, userId: ids.ada }),
    },
    updateOAuthProviderById: {
      wire: '2026',
      prepare: linkById,
      write: ({ app, ids }, oauthProviderId: string) =>
        updateOAuthProviderById(app, { userId: ids.ada, oauthProviderId, allowConnectedAccounts: false }),
    },
    deleteOAuthProviderById: {
      fills: ['oauthProvidersOf$ ada'],
      wire: '2026',
      prepare: linkById,
      write: ({ app, ids }, oauthProviderId: string) =>
        deleteOAuthProviderById(app, { userId: ids.ada, oauthProviderId }),
    },
  },
  reads: ['connectedAccountTokenById', 'providerAccountTokenById'],
}
