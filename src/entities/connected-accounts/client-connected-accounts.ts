import { view } from '../../store/query'
import { user$ } from '../users/client-current-user'
import { toConnectedAccounts } from './shape-connected-account-fields'

export type { ConnectedAccount } from './shape-connected-account-fields'

/**
 * The accounts at providers that the signed-in user has linked: each signs the user in.
 *
 * @example
 * app.connectedAccounts$.subscribe(accounts => console.log(accounts.map(({ provider }) => provider)))
 */
export const connectedAccounts$ = view(user$, toConnectedAccounts)
