import fc from 'fast-check'
import { decodeDetails, type ErrorDetails } from '../../src/errors/details'
import type { LocalCode } from '../../src/errors/codes'
import catalogue from '../wire/errors.json'
import newer from '../wire/newer-errors.json'

/** A value of each form that the catalogue names. */
const samples: Record<string, unknown> = {
  string: 'x',
  'string|null': null,
  number: 8,
  'number|null': 1_767_225_600_000,
  json: { type: 'anonymous' },
  'json[]': [{ code: 'SCHEMA_ERROR', inner_key: 1 }],
}
const sampleOf = (form: string): unknown => samples[form] ?? (form.endsWith('[]') ? ['client'] : 'client')

const withDetails = [...catalogue, ...newer].flatMap(({ code, details }) => (details ? [[code, details] as const] : []))

const id = 'x'
const instant = new Date(0)
/** Details of every typed code as the kit returns them, checked against the types by the compiler. */
const typed: Readonly<Record<string, object>> = {
  UNSUPPORTED_ERROR: { originalErrorCode: 'X' },
  SCHEMA_ERROR: { message: 'x' },
  ALL_OVERLOADS_FAILED: { overloadErrors: [{ code: 'SCHEMA_ERROR' }] },
  ACCESS_TYPE_WITHOUT_PROJECT_ID: { requestType: 'client' },
  INSUFFICIENT_ACCESS_TYPE: { actualAccessType: 'client', allowedAccessTypes: ['server', 'admin'] },
  INVALID_PUBLISHABLE_CLIENT_KEY: { projectId: id },
  INVALID_SECRET_SERVER_KEY: { projectId: id },
  INVALID_SUPER_SECRET_ADMIN_KEY: { projectId: id },
  ADMIN_ACCESS_TOKEN_EXPIRED: { expiredAt: instant },
  ACCESS_TOKEN_EXPIRED: { expiredAt: null },
  INVALID_PROJECT_FOR_ACCESS_TOKEN: { expectedProjectId: id, actualProjectId: id },
  USER_EMAIL_ALREADY_EXISTS: { email: 'a@example.com' },
  USER_ID_DOES_NOT_EXIST: { userId: id },
  PROJECT_NOT_FOUND: { projectId: id },
  BRANCH_DOES_NOT_EXIST: { branchId: id },
  PASSWORD_TOO_SHORT: { minLength: 8 },
  PASSWORD_TOO_LONG: { maxLength: 70 },
  EMAIL_IS_NOT_PRIMARY_EMAIL: { email: 'a@example.com', primaryEmail: null },
  PASSKEY_WEBAUTHN_ERROR: { message: 'x', code: 'NotAllowedError' },
  PERMISSION_NOT_FOUND: { permissionId: id },
  WRONG_PERMISSION_SCOPE: { permissionId: id, expectedScope: 'team', actualScope: null },
  CONTAINED_PERMISSION_NOT_FOUND: { permissionId: id },
  PERMISSION_ID_ALREADY_EXISTS: { permissionId: id },
  TEAM_NOT_FOUND: { teamId: id },
  TEAM_ALREADY_EXISTS: { teamId: id },
  TEAM_MEMBERSHIP_NOT_FOUND: { teamId: id, userId: id },
  TEAM_PERMISSION_REQUIRED: { teamId: id, userId: id, permissionId: id },
  TEAM_PERMISSION_NOT_FOUND: { teamId: id, userId: id, permissionId: id },
  PROJECT_PERMISSION_REQUIRED: { userId: id, permissionId: id },
  INVALID_OAUTH_CLIENT_ID_OR_SECRET: { clientId: null },
  MULTI_FACTOR_AUTHENTICATION_REQUIRED: { attemptCode: id },
  INVALID_SHARED_OAUTH_PROVIDER_ID: { providerId: id },
  INVALID_STANDARD_OAUTH_PROVIDER_ID: { providerId: id },
  CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE: { type: 'email', contactChannelValue: null },
  WRONG_API_KEY_TYPE: { expectedType: 'user', actualType: 'team' },
  EMAIL_RENDERING_ERROR: { error: 'x' },
  EMAIL_NOT_EDITABLE: { emailId: 'x', status: 'sent' },
  RESTRICTED_USER_NOT_ALLOWED: { restrictedReason: { type: 'email_not_verified' } },
  CURRENT_PROJECT_NOT_FOUND: { projectId: id },
  PUBLISHABLE_CLIENT_KEY_REQUIRED_FOR_PROJECT: { projectId: id },
  SIGN_UP_REJECTED: { message: 'x' },
  BOT_CHALLENGE_FAILED: { message: 'x' },
  OAUTH_ACCESS_TOKEN_NOT_AVAILABLE: { provider: 'github', details: 'x' },
  TEAM_INVITATION_RESTRICTED_USER_NOT_ALLOWED: { restrictedReason: { type: 'anonymous' } },
  INVALID_EXTERNAL_AUTH_TOKEN: { reason: 'x' },
} satisfies Omit<ErrorDetails, LocalCode>

describe('details', () => {
  it.each(withDetails)('of %s are typed', (code, forms) => {
    expect(Object.keys(typed[code] ?? {})).toEqual(Object.keys(decodeDetails(forms) as object))
  })

  it.each(withDetails)('of %s come in local names', (_, forms) => {
    const wire = Object.fromEntries(Object.entries(forms).map(([key, form]) => [key, sampleOf(form)]))
    const local = Object.fromEntries(
      Object.entries(wire).map(([key, value]) => {
        const name = key.replace(/_millis$/, '').replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
        return [name, key.endsWith('_millis') ? new Date(value as number) : value]
      }),
    )
    expect(decodeDetails(wire)).toEqual(local)
  })

  it.each([
    [{ attempt_code: 'c' }, { attemptCode: 'c' }],
    [{ min_length: 8 }, { minLength: 8 }],
    [{ maxLength: 70 }, { maxLength: 70 }],
    [{ originalErrorCode: 'X' }, { originalErrorCode: 'X' }],
    [{ expired_at_millis: 0 }, { expiredAt: new Date(0) }],
    [{ expired_at_millis: null }, { expiredAt: null }],
    [{ expired_at_millis: 'soon' }, { expiredAt: 'soon' }],
    [{ overload_errors: [{ inner_key: 1 }] }, { overloadErrors: [{ inner_key: 1 }] }],
    [undefined, undefined],
    [null, null],
    ['text', 'text'],
    [[1], [1]],
  ])('%j are %j', (wire, local) => {
    expect(decodeDetails(wire)).toEqual(local)
  })

  it('of any kind are read without failing, and pollute nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        decodeDetails(value)
        decodeDetails(JSON.parse(`{"__proto__": ${JSON.stringify(value)}}`))
        expect({}).toEqual({})
      }),
    )
    expect(Object.getPrototypeOf(decodeDetails(JSON.parse('{"__proto__": {"polluted": 1}}')))).toBe(Object.prototype)
  })
})
