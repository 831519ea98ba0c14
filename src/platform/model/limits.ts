import * as v from 'valibot'
import type { Shape } from '../../core/wire'
import type { FieldPlace } from '../../transport/endpoint'
import { isSystemPermission } from './teams'

// The platform's own checks of fields, beyond the kit's declarations. The kit sends its caller's input and receives these
// refusals. Messages complete the sentence "body.password …" and never quote the value.

// An address may be as long as a body. A repeated group stores each repetition, and overflows at some million.
const localPart = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+$/
const domainLabel = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/
const base64ImageForm = /^data:image\/(png|jpe?g|gif|bmp|webp);base64,[A-Za-z0-9+/]+={0,2}$/
const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const customPermissionForm = /^(?!__proto__$)[a-z0-9_:]+$/
const base64Form = /^[A-Za-z0-9+/]*={0,2}$/

const maxText = v.maxLength<string, 256, string>(256, 'must be at most 256 characters long')

/** An address for a first sign-in: accepted by browsers, with a dotted domain and without empty parts. */
export const strictEmail = v.pipe(
  v.string(),
  v.check(text => isEmail(text) && isStrict(text), 'must be an e-mail address with a dotted domain'),
)

/** An address for a first sign-in, with the newer release's limit of length. */
export const shortEmail = v.pipe(strictEmail, maxText)

/** The newer release's limits for a user's display name. */
export const shortName = v.optional(v.nullable(v.pipe(v.string(), maxText)))

/** An e-mail address that browsers accept, `bob@localhost` too. Not normalised: some endpoints compare it as sent. */
export const laxEmail = v.pipe(v.string(), v.check(isEmail, 'must be an e-mail address'))

/** An id in lower case. */
export const uuid = v.pipe(v.string(), v.regex(uuidForm, 'must be a valid UUID'), v.toLowerCase())

export const userIdOrMe = v.pipe(
  v.string(),
  v.check(text => text === 'me' || uuidForm.test(text), 'must be a UUID or "me"'),
)

/** The id of a permission: the project's own, or a system permission. */
export const permissionId = v.pipe(
  v.string(),
  v.check(
    id => customPermissionForm.test(id) || isSystemPermission(id),
    'must be lower-case letters, digits, "_" and ":", or a system permission',
  ),
)

export const customPermissionId = v.pipe(
  v.string(),
  v.regex(customPermissionForm, 'must be lower-case letters, digits, "_" and ":"'),
)

/** A complete verification code: the typed part and the nonce. */
export const code = v.pipe(v.string(), v.length(45, 'must be exactly 45 characters long'))

/** Passwords over the limit are refused here; short ones get the endpoint's own error. */
export const password = v.pipe(
  v.string(),
  v.maxLength(70, 'must be at most 70 characters long'),
  v.maxBytes(71, 'must be at most 71 bytes long in UTF-8'),
)

export const absoluteUrl = v.pipe(
  v.string(),
  v.check(text => !/\s/.test(text) && URL.canParse(text), 'must be an absolute URL without spaces'),
)

export const imageUrl = v.pipe(absoluteUrl, v.maxLength(1_000_000, 'must be at most 1,000,000 characters long'))

/** Whether the URL is an image that a client may set. */
export function isBase64Image(url: string): boolean {
  return base64ImageForm.test(url)
}

/** Base64, far longer than the secrets of authenticator apps; an empty text is valid. */
export const totpSecret = v.pipe(
  v.string(),
  v.check(text => text.length % 4 === 0 && base64Form.test(text), 'must be base64 with padding'),
  v.maxLength(1000, 'must be at most 1,000 characters long'),
)

const forms: Readonly<Record<string, Shape<unknown>>> = {
  userId: userIdOrMe,
  creatorUserId: userIdOrMe,
  teamId: uuid,
  selectedTeamId: uuid,
  permissionId: permissionId,
  code: code,
  callbackUrl: absoluteUrl,
  verificationCallbackUrl: absoluteUrl,
  profileImageUrl: imageUrl,
  totpSecretBase64: totpSecret,
  primaryEmail: laxEmail,
  password: password,
  passwordHash: v.pipe(v.string(), v.nonEmpty('must not be empty')),
}

/** Ids that are any text: a seed names its projects, and a provider its accounts. */
const formless = ['projectId', 'oauthProviderId', 'providerAccountId']

/** The platform's check of a field by its name. Other ids in paths are UUIDs. */
export function formOf(name: string, place: FieldPlace): Shape<unknown> | undefined {
  const isRowId = place === 'path' && name.endsWith('Id') && !formless.includes(name)
  return forms[name] ?? (isRowId ? uuid : undefined)
}

/** The HTML standard's rule for `<input type=email>`. */
function isEmail(text: string): boolean {
  const at = text.indexOf('@')
  return (
    localPart.test(text.slice(0, Math.max(at, 0))) &&
    text
      .slice(at + 1)
      .split('.')
      .every(label => domainLabel.test(label))
  )
}

/** Beyond that rule: no empty part before the @, and at least two characters after the last dot. */
function isStrict(email: string): boolean {
  const [before = '', domain = ''] = email.split('@', 2)
  const last = domain.lastIndexOf('.')
  return before.split('.').every(part => part !== '') && last >= 0 && domain.length - last > 2
}
