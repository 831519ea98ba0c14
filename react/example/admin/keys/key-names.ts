/** The three kinds of keys, weakest first. */
export const keyNames = [
  { key: 'publishableClientKey', has: 'hasPublishableClientKey', label: 'Publishable client key', who: 'For pages.' },
  {
    key: 'secretServerKey',
    has: 'hasSecretServerKey',
    label: 'Secret server key',
    who: 'For backends: keep it secret.',
  },
  {
    key: 'superSecretAdminKey',
    has: 'hasSuperSecretAdminKey',
    label: 'Super secret admin key',
    who: 'For scripts that run the project: keep it secret.',
  },
] as const
