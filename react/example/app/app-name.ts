/** The end of the window's title. */
export const appName = 'rxauth example'
