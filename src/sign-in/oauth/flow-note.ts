/** The tab's note of the state of its last OAuth flow. Errors return without the state. */
export const lastFlow = { of: 'oauth' }

/** A parameter of a popup's return URL: the state of its flow, without which a refusal may return. */
export const flowParameter = 'rxauth_flow'
