/** A page can hydrate, a server cannot. */
export const isServer = (): boolean => typeof document === 'undefined'
