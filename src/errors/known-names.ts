import { DEV } from '../core/dev'
import { invalidInput } from './auth-error'

/**
 * Refuses an option that does not exist, which would have no effect: a slip that only the compiler sees otherwise. For
 * development, where the slip is made.
 */
export const assertKnownNames: (given: object | undefined, names: string, path?: string) => void = DEV
  ? (given, names, path = '') => {
      for (const [name, value] of Object.entries(given ?? {}))
        if (value !== undefined && !names.split(' ').includes(name))
          throw invalidInput(path + name, `is not an option; there are: ${names.replaceAll(' ', ', ')}`)
    }
  : () => undefined
