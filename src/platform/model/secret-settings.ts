import { isRecord } from '../../core/values'

/** Names of settings with secrets: each text at such a name, or anywhere below it, is one. */
export const secretSetting = /secret|password|token|key|credential|connection.?string/i

/** The value at the path, with `hide` applied to each text that is a secret. */
export function hideSettings(value: unknown, path: string, hide: (text: string, path: string) => string): unknown {
  if (typeof value === 'string') return value !== '' && secretSetting.test(path) ? hide(value, path) : value
  if (Array.isArray(value)) return value.map(item => hideSettings(item, path, hide))
  if (!isRecord(value)) return value
  const parts = Object.entries(value).map(([key, part]) => [key, hideSettings(part, `${path}.${key}`, hide)])
  return Object.fromEntries(parts)
}
