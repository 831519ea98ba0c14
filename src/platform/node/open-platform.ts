import { resolve } from 'node:path'
import { keptPlatform } from '../create-platform'
import type { Platform, PlatformOptions } from '../platform'
import { DataFile, loadSqlite } from './data-file'
import { mailRunner } from './run-mail'

/**
 * Opens a platform on a SQLite file, and creates the file if it does not exist. Answered writes survive any end of the
 * process. The seed is planted once, into a new file. `dispose` closes the file. Forks are in memory.
 *
 * Rejects on a Node before 22.13 without the package `libsql`, or if the file cannot be used: another process has it open,
 * a newer version wrote it, or it is not a data file of a local platform.
 *
 * @example
 * const platform = await openPlatform({ file: '.rxauth/data.db' })
 * const { url } = await listen(platform)
 */
export async function openPlatform({
  file: path,
  ...options
}: PlatformOptions & { readonly file: string }): Promise<Platform> {
  const file = new DataFile((await loadSqlite()).Database, resolve(path))
  try {
    const kept = file.read()
    const platform = keptPlatform(options, {
      ...(kept && { kept }),
      mails: mailRunner(process.cwd()),
      onCommit: file.onCommit,
      onReplace: file.onReplace,
    })
    // Waits for the seed.
    await platform.seed({})
    file.complete()
    return {
      ...platform,
      dispose() {
        platform.dispose()
        file.close()
      },
    }
  } catch (error) {
    file.close()
    throw error
  }
}

/** A platform with its data in memory, whose mails run as code where the project of the working folder has React Email. */
export function memoryPlatform(options: PlatformOptions): Platform {
  return keptPlatform(options, { mails: mailRunner(process.cwd()) })
}
