/** Whether this is a server, which never hydrates. */
export const isServer = (): boolean => typeof document === 'undefined'
