/**
 * What a local platform calls its project unless told otherwise. Not secrets: they open nothing but a platform that runs
 * on this machine, so a kit that points at a loopback address needs no configuration.
 */
export const localProject = {
  projectId: '10ca1de7-0000-4000-8000-000000000001',
  publishableClientKey: 'pck_local-platform-publishable-client-key-not-a-secret',
} as const
