/** The console is served by the platform itself. */
export const platformUrl = location.origin
