import { DEV } from '../../core/dev'
import { orUndefined, isRecord } from '../../core/values'
import { onAbort } from '../../core/signals'
import { isAuthError } from '../../errors/auth-error'
import { coreOf, slot, type Kit } from '../kit-parts'

declare const process: { readonly env: { readonly NODE_ENV?: string } }

/**
 * In development: warns, once for each call of this name, if a second later nothing has read \`ok\` or \`error\` of a failed result.
 * Returns the result itself. A copy of it counts as reading it.
 */
export const watchResult: <R>(kit: Kit<never>, name: string, result: R) => R = DEV
  ? (kit, name, result) => {
      if (!isRecord(result) || result['ok'] !== false || !('error' in result)) return result
      // Frozen by another caller, who has it.
      if (!Object.isExtensible(result)) return result
      const { error } = result
      const printKey = Symbol.for('nodejs.util.inspect.custom')
      const { clock, session } = coreOf(kit)
      const told = slot(kit, watchResult, () => new Set<string>())
      // Node explains in production too.
      if (told.has(name) || session.ended.aborted || orUndefined(() => process.env.NODE_ENV) === 'production')
        return result
      const plain: Readonly<Record<string, unknown>> = { ok: false, error }
      // A store of the app may freeze it meanwhile, and reads it all the same.
      const fields = (of: (key: string) => PropertyDescriptor) => {
        for (const key of Object.keys(plain))
          Reflect.defineProperty(result, key, { ...of(key), configurable: true, enumerable: true })
      }
      const forget = () => {
        cancel()
        leave()
        Reflect.deleteProperty(result, printKey)
        fields(key => ({ value: plain[key], writable: true }))
      }
      const tell = () => {
        forget()
        told.add(name)
        const code = isAuthError(error) ? error.code : 'an error'
        // eslint-disable-next-line no-console -- no caller awaits it
        console.warn(
          `rxauth: ${name} has failed with ${code}, and the program has not looked at its result for a second. A refusal is ` +
            'returned, not thrown: check result.ok and show result.error, or throw it with orThrow(await …).',
        )
      }
      const cancel = clock.uncounted.setTimeout(tell, 1000, { keepAlive: false })
      const leave = onAbort(session.ended, forget)
      const read = (key: string) => {
        forget()
        return plain[key]
      }
      // A console shows the fields, not that they are read by functions.
      Object.defineProperty(result, printKey, { configurable: true, value: () => ({ ok: read('ok'), error }) })
      fields(key => ({ get: () => read(key) }))
      return result
    }
  : (_kit, _name, result) => result
