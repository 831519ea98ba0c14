import { saidBy } from '../errors/auth-error'

/** Runs a step that reads or writes a file. Its error names the file as the user does. */
export function onFile<T>(name: string, what: 'read' | 'written', step: () => T): T {
  try {
    return step()
  } catch (error) {
    throw new Error(`${name} cannot be ${what}: ${fileFault(error)}`, { cause: error })
  }
}

/** The reason of the system, which names the file once more: `ENOENT: no such file or directory, open '/a/b'`. */
export function fileFault(error: unknown): string {
  return saidBy(error).replace(/, \w+(?: '.*')?$/, '')
}
