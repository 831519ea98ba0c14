/** The three kinds of keys, weakest first. */
export const keyNames = [
  {
    key: 'publishableClientKey',
    has: 'hasPublishableClientKey',
    label: 'Publishable client key',
    who: 'For web pages and apps.',
  },
  {
    key: 'secretServerKey',
    has: 'hasSecretServerKey',
    label: 'Secret server key',
    who: 'For your backend. Keep it secret.',
  },
  {
    key: 'superSecretAdminKey',
    has: 'hasSuperSecretAdminKey',
    label: 'Super secret admin key',
    who: 'For scripts that change the settings of the project. Keep it secret.',
  },
] as const
