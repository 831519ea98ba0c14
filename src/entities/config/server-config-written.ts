import { topic } from '../../store/source'

/** A change of the configuration. Stores of admins follow it, which a server cannot name. */
export const configWritten = topic('configuration written')
