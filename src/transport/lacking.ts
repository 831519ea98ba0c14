import { DEV } from '../core/dev'
import { callName } from '../core/names'
import { wireName, type Shape } from '../core/wire'
import { isAuthError, developerError, type AuthError } from '../errors/auth-error'
import { splitRoute, type Lacking, type RefusalAnswer } from './endpoint'

type Sign = 404 | 405 | string

/**
 * Declares by which refusals a release says that it lacks a call, for `notOnPlatform`. 404: the whole call is missing, and the
 * platform itself answers 404 without a code. 405: this method of the path is missing. A field's name on the wire: the release has the call, and refuses one with this
 * field by an error of its schema that names it; `order=name` means only this value of the input's field.
 *
 * @example
 * const readNotes = endpoint('GET /notes', { access: 'client', notOnPlatform: lacking(404) })
 * const ownNotes = endpoint('GET /notes', { access: 'client', fixed: { of: 'me' }, notOnPlatform: lacking('of') })
 */
export function lacking(...signs: readonly Sign[]): Lacking {
  return (kit, endpoint, input) => {
    const { route, fixed, input: schema } = endpoint
    const absent = (kit.absent ??= new Map())
    const [method, path] = splitRoute(route)
    const sent = new Set(signs.filter(sign => typeof sign === 'number' || sign in fixed))
    let namesRow = false
    // The entries of a strict object.
    const { entries } = schema as unknown as { readonly entries: Readonly<Record<string, Shape<unknown>>> }
    for (const [name, field] of Object.entries(entries)) {
      const [wire, value] = [wireName(name, field), input[name]]
      namesRow ||= value !== undefined && name.endsWith('Id')
      const withValue = `${wire}=${String(value)}`
      if (signs.includes(withValue)) sent.add(withValue)
      // A field that is declared `newer` need not be named again.
      if (value !== undefined && ('isNewer' in field || signs.includes(wire))) sent.add(wire)
    }
    // The calls of one entity come with the same release.
    const keyOf = (sign: Sign) => (sign === 404 ? path.replace(/\/(?:me\b|\{).*/, '') : `${route} ${sign}`)
    for (const sign of sent) {
      const known = absent.get(keyOf(sign))
      if (known) throw lacks(endpoint, sign, known)
    }
    return (error, refusal) => {
      for (const sign of sent) {
        const key = keyOf(sign)
        if (!error || !refusal) absent.set(key, null)
        else if (absent.get(key) !== null && matches(sign, error, refusal)) {
          // The refusal may be about the input: an unknown row, or the wrong value of a write.
          if (method === 'GET' && !(sign === 404 && namesRow)) absent.set(key, error)
          throw lacks(endpoint, sign, error)
        }
      }
    }
  }
}

/** A copy of the declaration, whose errors say in development what there is in place of the call. */
export function withHint(words: string, declared: Lacking): Lacking {
  if (!DEV) return declared
  const told = <T>(run: () => T): T => {
    try {
      return run()
    } catch (error) {
      if (isAuthError(error, 'NOT_ON_THIS_PLATFORM')) error.message += `; ${words}`
      throw error
    }
  }
  return (...call) => {
    const tell = told(() => declared(...call))
    return (...outcome) => {
      told(() => {
        tell(...outcome)
      })
    }
  }
}

function matches(sign: Sign, { code, message, details }: AuthError, { headers, ...refusal }: RefusalAnswer): boolean {
  // A path without this method is answered without the platform's headers.
  if (sign === 405) return refusal.code === null && refusal.status === 405
  // The header has the status of the platform's own answers only.
  if (sign === 404) return refusal.code === null && headers.get('x-stack-actual-status') === '404'
  if (code !== 'SCHEMA_ERROR' && code !== 'ALL_OVERLOADS_FAILED') return false
  // A known field may be named too, as in "reason must be null". "query.limit" is the field `limit`, in the query.
  const name = nameOf(sign)
  return new RegExp(`unknown[^\\n\\\\]*\\b${name}\\b(?!\\.)|\\b${name} must be one of`).test(
    `${message} ${JSON.stringify(details)}`,
  )
}

function lacks(endpoint: Parameters<typeof callName>[0], sign: Sign, cause: AuthError): AuthError {
  const { route } = endpoint
  const name = callName(endpoint)
  // The route is what a person looks for in the notes of a release.
  const call = name === route ? route : `${name} (${route})`
  const what = typeof sign === 'number' ? call : `the field ${sign} of ${call}`
  return developerError('NOT_ON_THIS_PLATFORM', `this release of the platform does not have ${what}`, {
    status: cause.status,
    details: { call: route, ...(typeof sign !== 'number' && { field: nameOf(sign) }) },
    cause,
  })
}

function nameOf(sign: string): string {
  return sign.replace(/=.*/, '')
}
