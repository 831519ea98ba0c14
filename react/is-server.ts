/** Whether this is a server, which never hydrates. React Native has no document either. */
export const isServer = (): boolean => typeof document === 'undefined' && navigatorHere()?.product !== 'ReactNative'

const navigatorHere = () => (globalThis as { readonly navigator?: { readonly product?: string } }).navigator
