import { decoded } from '../../core/urls'
import { isRecord, wellFormed } from '../../core/values'
import { hideSettings } from '../model/config-override'

/** The text in place of a secret. */
export const hidden = '••••••'
const encodedHidden = encodeURIComponent(hidden)

/** Names of fields and parameters on the wire whose text is a secret. */
const secretName =
  /password|secret|token|totp|nonce|verifier|credential|authentication_response|api_key$|admin_key$|server_key$|private_key|(^|_)code$|^state$|^otp$|assertion|signature/i

/** The objects with a passkey's response, which are hidden completely. */
const secretObject = /^(credential|authentication_response)$/

/** Names that match the former, but whose values only identify or describe a secret. */
const plainName = /(_id|_ids|_type|_types_supported|_url|_at|_millis|_enabled|_name)$/i

/** Texts that are JSON with fields of their own: the configuration of a project. */
const jsonName = /^config_(?:override_)?string$/

/** Headers whose values are always hidden. */
const secretHeader = /token|authorization|cookie|secret|admin-key|server-key|override-key|signature|stack-auth|api-key/i

/**
 * JSON Web Tokens in any place. The pattern also matches texts that begin like one and have no second part, as a whole:
 * otherwise each position in them would be tried anew.
 */
export const tokenText = /eyJ[\w-]+(\.[\w-]+(?:\.[\w-]*)?)?/g

/** Keys of projects and users, and webhook secrets, in any place. */
const keyText = /\b(?:sk|ssk|sak|pk)_[A-Za-z0-9]{16,}|\bwhsec_[A-Za-z0-9+/=]+/g

/** The headers with every secret hidden; publishable keys stay. */
export function maskHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, secretHeader.test(name) ? hidden : maskText(value)]),
  )
}

/** A query or fragment parameter of a URL, also of one in HTML. */
const parameter = /(&amp;|[?&#])([^=&#?\s"'<>]{1,100})=([^&#\s"'<>]*)/g

/** A field in JSON that may be cut off. */
const jsonField = /"([^"\\]{1,100})"(\s*:\s*)"(?:[^"\\]|\\[^])*"?/g

function maskParameters(text: string): string {
  return text.replace(parameter, (found, sign: string, name: string, value: string) => {
    if (isSecretName(decoded(name))) return `${sign}${name}=${hidden}`
    const inner = decoded(value)
    if (inner === value) return found
    const masked = maskText(inner)
    return masked === inner
      ? found
      : `${sign}${name}=${encodeURIComponent(wellFormed(masked)).replaceAll(encodedHidden, hidden)}`
  })
}

/** A body as it was sent, with its secrets hidden. In an error, `code` is the error's name and stays. */
export function maskBody(body: string, contentType: string, isError = false): string {
  if (contentType.startsWith('multipart/')) return hidden
  if (contentType.startsWith('application/x-www-form-urlencoded')) return maskText(`?${body}`).slice(1)
  try {
    const value: unknown = JSON.parse(body)
    const code = isError && isRecord(value) ? { code: value['code'] } : {}
    const masked = maskValue(value, '')
    return JSON.stringify(isRecord(masked) ? { ...masked, ...code } : masked, null, 2)
  } catch {
    // Invalid JSON, or a form with another content type.
    const fields = body.replace(jsonField, (found, name: string, colon: string) =>
      isSecretName(name) || jsonName.test(name) ? `"${name}"${colon}"${hidden}"` : found,
    )
    return maskText(`?${fields}`).slice(1)
  }
}

function maskValue(value: unknown, name: string): unknown {
  if (typeof value === 'string' && jsonName.test(name)) return maskJson(value)
  if (typeof value === 'string') return isSecretName(name) && value !== '' ? hidden : maskText(value)
  if (secretObject.test(name)) return hidden
  if (Array.isArray(value)) return value.map(item => maskValue(item, name))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, maskValue(part, key)]))
}

function maskJson(text: string): string {
  try {
    return JSON.stringify(
      maskValue(
        hideSettings(JSON.parse(text), '', () => hidden),
        '',
      ),
    )
  } catch {
    return hidden
  }
}

function isSecretName(name: string): boolean {
  return secretName.test(name) && !plainName.test(name)
}

/** A text or URL with its secrets hidden: those in queries and fragments too, also of a URL inside a parameter. */
export function maskText(text: string): string {
  return maskParameters(text)
    .replace(tokenText, (found, parts?: string) => (parts === undefined ? found : hidden))
    .replace(keyText, hidden)
}
