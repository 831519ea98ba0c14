/** The tab's note of the OAuth flow that it was last sent away for: its state. Errors come back without it. */
export const lastFlow = { of: 'oauth' }
