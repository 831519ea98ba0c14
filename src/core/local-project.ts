/**
 * The local platform's default project. Its keys are not secrets: they open only a platform on this machine, so that a kit
 * that points at a loopback address needs no configuration.
 */
export const localProject = {
  projectId: '10ca1de7-0000-4000-8000-000000000001',
  publishableClientKey: 'pck_local-platform-publishable-client-key-not-a-secret',
} as const
