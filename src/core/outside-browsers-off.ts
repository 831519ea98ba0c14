// Published in the place of outside-browsers.ts for browsers.

export const OUTSIDE_BROWSERS: boolean = false
