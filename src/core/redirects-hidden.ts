// Published in the place of redirects.ts for browsers.

export const REDIRECTS_SHOWN: boolean = false
