/** The hosted platform. */
export const hostedBaseUrl = 'https://api.stack-auth.com'
