/** What the window's title ends with. */
export const appName = 'rxauth console'
