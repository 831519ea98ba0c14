/** The tab's note of the OAuth flow that it was last sent away for: its state. Errors come back without it. */
export const lastFlow = { of: 'oauth' }

/** In the address that a window of its own comes back to: the state of its flow, which a refusal may come back without. */
export const flowParameter = 'rxauth_flow'
