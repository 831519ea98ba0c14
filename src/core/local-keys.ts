/** The keys of a local platform's project for the levels above client access. Not secrets: see `localProject`. */
export const localKeys = {
  secretServerKey: 'ssk_local-platform-secret-server-key-not-a-secret',
  superSecretAdminKey: 'sak_local-platform-super-secret-admin-key-not-a-secret',
} as const
