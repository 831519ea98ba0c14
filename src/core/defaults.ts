/** The hosted platform. */
export const hostedBaseUrl = 'https://api.stack-auth.com'

/**
 * The local platform's default project. Its keys are not secrets: they open only a platform on this machine, so that a kit
 * that points at a loopback address needs no configuration.
 */
export const localProject = {
  projectId: '10ca1de7-0000-4000-8000-000000000001',
  publishableClientKey: 'pck_local-platform-publishable-client-key-not-a-secret',
} as const

/** The keys of a local platform's project for the levels above client access. Not secrets: see `localProject`. */
export const localKeys = {
  secretServerKey: 'ssk_local-platform-secret-server-key-not-a-secret',
  superSecretAdminKey: 'sak_local-platform-super-secret-admin-key-not-a-secret',
} as const
