export { Brand } from '../example/shell/brand'

/** The end of the window's title. */
export const appName: string = 'rxauth console'
