import { invalidInput } from './auth-error'

/** Refuses an option that does not exist, which would have no effect: a slip that only the compiler sees otherwise. */
export function assertKnownNames(given: object | undefined, names: string, path = ''): void {
  for (const [name, value] of Object.entries(given ?? {}))
    if (value !== undefined && !names.split(' ').includes(name))
      throw invalidInput(path + name, `is not an option; there are: ${names.replaceAll(' ', ', ')}`)
}
