import type { Samples } from '../../flows/samples'

export const samples: Samples = {
  admin: {
    createInternalApiKey: {
      fills: ['internalApiKeys$'],
      write: ({ app }) =>
        app.createInternalApiKey({ description: 'new', expiresAt: new Date('2100-01-01'), hasSecretServerKey: true }),
    },
    updateInternalApiKey: {
      fills: ['internalApiKeys$'],
      prepare: ({ app }) => app.createInternalApiKey({ description: 'ci', expiresAt: new Date('2100-01-01') }),
      write: ({ app }, { id: apiKeyId }: { readonly id: string }) =>
        app.updateInternalApiKey({ apiKeyId, description: 'cd' }),
    },
    revokeInternalApiKey: {
      fills: ['internalApiKeys$'],
      prepare: ({ app }) => app.createInternalApiKey({ description: 'ci', expiresAt: new Date('2100-01-01') }),
      write: ({ app }, { id: apiKeyId }: { readonly id: string }) => app.revokeInternalApiKey({ apiKeyId }),
    },
  },
}
