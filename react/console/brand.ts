export { Brand } from '../example/shell/brand'

/** The end of the window's title. */
export const useAppName = (): string => 'rxauth console'
