// Published in the place of dev.ts for production builds.

export const DEV: boolean = false
