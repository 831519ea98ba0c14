import { declaredEndpoints, type DeclaredEndpoint } from '../declared-endpoints'

type Access = DeclaredEndpoint['access']

/**
 * Every call that a kit for this platform needs: method and path, the fields of the query or of the body, and the level.
 * `{}` stands for a parameter; `me` is a path of its own.
 */
const calls: readonly (readonly [access: Access, route: string, fields?: string])[] = [
  ['client', 'POST /auth/password/send-reset-code', 'email callback_url'],
  ['client', 'POST /auth/password/reset/check-code', 'code'],
  ['client', 'POST /auth/password/reset', 'code password'],
  ['client', 'POST /auth/password/update', 'old_password new_password'],
  ['client', 'POST /auth/password/set', 'password'],
  ['client', 'POST /auth/password/sign-in', 'email password'],
  ['client', 'POST /auth/password/sign-up', 'email password verification_callback_url'],
  ['client', 'POST /auth/anonymous/sign-up'],
  ['client', 'POST /auth/otp/send-sign-in-code', 'email callback_url'],
  ['client', 'POST /auth/otp/sign-in', 'code'],
  ['client', 'POST /auth/mfa/sign-in', 'code type totp'],
  ['client', 'POST /auth/passkey/initiate-passkey-registration'],
  ['client', 'POST /auth/passkey/register', 'code'],
  ['client', 'POST /auth/passkey/initiate-passkey-authentication'],
  ['client', 'POST /auth/passkey/sign-in', 'code'],
  [
    'client',
    'GET /auth/oauth/authorize/{}',
    'client_id client_secret redirect_uri scope state grant_type code_challenge code_challenge_method response_type type error_redirect_url after_callback_redirect_url token provider_scope',
  ],
  ['client', 'POST /auth/oauth/token'],
  ['client', 'DELETE /auth/sessions/current'],
  ['client', 'GET /auth/sessions', 'user_id'],
  ['client', 'DELETE /auth/sessions/{}', 'user_id'],
  ['server', 'POST /auth/sessions', 'user_id expires_in_millis is_impersonation'],
  ['client', 'POST /auth/cli', 'expires_in_millis'],
  ['client', 'POST /check-feature-support', 'feature_name'],
  ['client', 'POST /auth/cli/poll', 'polling_code'],
  ['client', 'POST /auth/cli/complete', 'login_code refresh_token'],
  ['client', 'POST /contact-channels/send-verification-code', 'email callback_url'],
  ['client', 'POST /contact-channels/verify', 'code'],
  ['client', 'GET /contact-channels', 'user_id'],
  ['client', 'POST /contact-channels'],
  ['client', 'PATCH /contact-channels/me/{}'],
  ['client', 'DELETE /contact-channels/me/{}'],
  ['client', 'POST /contact-channels/me/{}/send-verification-code', 'callback_url'],
  ['server', 'GET /contact-channels', 'user_id'],
  ['server', 'POST /contact-channels'],
  ['server', 'PATCH /contact-channels/{}/{}'],
  ['server', 'DELETE /contact-channels/{}/{}'],
  ['server', 'POST /contact-channels/{}/{}/send-verification-code', 'callback_url'],
  ['client', 'GET /users/me'],
  [
    'client',
    'PATCH /users/me',
    'display_name client_metadata selected_team_id totp_secret_base64 profile_image_url otp_auth_enabled passkey_auth_enabled',
  ],
  ['client', 'DELETE /users/me'],
  [
    'server',
    'POST /users',
    'display_name profile_image_url client_metadata client_read_only_metadata server_metadata primary_email primary_email_verified primary_email_auth_enabled password password_hash totp_secret_base64 otp_auth_enabled passkey_auth_enabled is_anonymous oauth_providers',
  ],
  ['server', 'GET /users/{}'],
  [
    'server',
    'PATCH /users/{}',
    'display_name profile_image_url client_metadata client_read_only_metadata server_metadata primary_email primary_email_verified primary_email_auth_enabled password password_hash totp_secret_base64 otp_auth_enabled passkey_auth_enabled is_anonymous selected_team_id',
  ],
  ['server', 'DELETE /users/{}'],
  ['server', 'GET /users', 'cursor limit desc order_by query team_id'],
  ['client', 'GET /teams', 'user_id'],
  ['client', 'POST /teams'],
  ['client', 'PATCH /teams/{}'],
  ['client', 'DELETE /teams/{}'],
  ['server', 'GET /teams/{}'],
  ['client', 'POST /team-invitations/send-code', 'email team_id callback_url'],
  ['client', 'POST /team-invitations/accept/check-code', 'code'],
  ['client', 'POST /team-invitations/accept/details', 'code'],
  ['client', 'POST /team-invitations/accept', 'code'],
  ['client', 'GET /team-invitations', 'team_id'],
  ['client', 'DELETE /team-invitations/{}', 'team_id'],
  ['client', 'GET /team-member-profiles', 'team_id'],
  ['server', 'GET /team-member-profiles', 'team_id user_id'],
  ['client', 'GET /team-member-profiles/{}/{}'],
  ['client', 'PATCH /team-member-profiles/{}/{}'],
  ['server', 'PATCH /team-member-profiles/{}/{}'],
  ['client', 'DELETE /team-memberships/{}/{}'],
  ['server', 'POST /team-memberships/{}/{}'],
  ['server', 'DELETE /team-memberships/{}/{}'],
  ['client', 'GET /team-permissions', 'team_id user_id recursive'],
  ['client', 'GET /project-permissions', 'user_id recursive'],
  ['server', 'POST /team-permissions/{}/{}/{}'],
  ['server', 'DELETE /team-permissions/{}/{}/{}'],
  ['server', 'POST /project-permissions/{}/{}'],
  ['server', 'DELETE /project-permissions/{}/{}'],
  ['client', 'POST /connected-accounts/me/{}/access-token', 'scope'],
  ['server', 'POST /connected-accounts/{}/{}/access-token', 'scope'],
  ['client', 'GET /projects/current'],
  ['server', 'GET /auth/sessions', 'user_id'],
  ['admin', 'GET /auth/sessions', 'user_id'],
  ['server', 'DELETE /auth/sessions/{}', 'user_id'],
  ['server', 'GET /users/me'],
  ['server', 'PATCH /users/me', 'server_metadata'],
  ['server', 'DELETE /users/me'],
  ['client', 'GET /internal/projects'],
  ['client', 'POST /internal/projects', 'display_name description is_production_mode config'],
  ['client', 'GET /emails/notification-preference/me'],
  ['client', 'PATCH /emails/notification-preference/me/{}', 'enabled'],
  ['server', 'GET /emails/notification-preference/{}'],
  ['server', 'PATCH /emails/notification-preference/{}/{}', 'enabled'],
  ...(['user', 'team'] as const).flatMap(
    owner =>
      [
        ['client', `GET /${owner}-api-keys`, `${owner}_id`],
        ['client', `POST /${owner}-api-keys`, `${owner}_id`],
        ['client', `GET /${owner}-api-keys/{}`],
        ['client', `PATCH /${owner}-api-keys/{}`],
        ['server', `POST /${owner}-api-keys/check`, 'api_key'],
      ] as const,
  ),
  ['admin', 'GET /internal/projects/current'],
  ['admin', 'PATCH /internal/projects/current', 'display_name description is_production_mode config'],
  ['admin', 'DELETE /internal/projects/current'],
  [
    'admin',
    'POST /internal/api-keys',
    'description expires_at_millis has_publishable_client_key has_secret_server_key has_super_secret_admin_key',
  ],
  ['admin', 'GET /internal/api-keys'],
  ['admin', 'GET /internal/api-keys/{}'],
  ['admin', 'PATCH /internal/api-keys/{}', 'description revoked'],
  ['admin', 'GET /email-templates'],
  ['admin', 'GET /email-templates/{}'],
  ['admin', 'PATCH /email-templates/{}', 'subject content'],
  ['admin', 'DELETE /email-templates/{}'],
  // Of the newer release.
  ['admin', 'GET /internal/email-templates'],
  ['admin', 'POST /internal/email-templates', 'display_name'],
  ['admin', 'PATCH /internal/email-templates/{}', 'tsx_source theme_id'],
  ['admin', 'DELETE /internal/email-templates/{}'],
  ['admin', 'GET /internal/email-themes'],
  ['admin', 'POST /internal/email-themes', 'display_name'],
  ['admin', 'GET /internal/email-themes/{}'],
  ['admin', 'PATCH /internal/email-themes/{}', 'tsx_source'],
  ['admin', 'DELETE /internal/email-themes/{}'],
  ['admin', 'GET /internal/email-drafts'],
  ['admin', 'POST /internal/email-drafts', 'display_name theme_id tsx_source'],
  ['admin', 'GET /internal/email-drafts/{}'],
  ['admin', 'PATCH /internal/email-drafts/{}', 'display_name theme_id tsx_source'],
  ['admin', 'DELETE /internal/email-drafts/{}'],
  ['server', 'GET /emails/delivery-info'],
  ['admin', 'POST /internal/send-test-webhook', 'endpoint_id'],
  [
    'admin',
    'POST /emails/render-email',
    'template_id template_tsx_source theme_id theme_tsx_source editable_markers editable_source',
  ],
  ['server', 'GET /emails/outbox', 'status simple_status user_id limit cursor'],
  ['server', 'GET /emails/outbox/{}'],
  [
    'server',
    'PATCH /emails/outbox/{}',
    'tsx_source theme_id to variables skip_deliverability_check scheduled_at_millis is_paused cancel',
  ],
  [
    'server',
    'POST /emails/send-email',
    'all_users emails template_id variables draft_id theme_id is_high_priority scheduled_at_millis',
  ],
  ...(['team', 'project'] as const).flatMap(
    scope =>
      [
        ['admin', `GET /${scope}-permission-definitions`],
        ['admin', `POST /${scope}-permission-definitions`, 'id description contained_permission_ids'],
        ['admin', `PATCH /${scope}-permission-definitions/{}`, 'id description contained_permission_ids'],
        ['admin', `DELETE /${scope}-permission-definitions/{}`],
      ] as const,
  ),
  ['admin', 'POST /webhooks/svix-token'],
  ['admin', 'GET /internal/metrics'],
  ['admin', 'POST /internal/send-test-email', 'recipient_email email_config'],
  ['admin', 'GET /internal/emails'],
  // Servers may send it, and so does the kit: an admin app has all server definitions.
  ['server', 'POST /emails/send-email', 'user_ids subject html notification_category_name'],
  ['admin', 'POST /internal/send-sign-in-invitation', 'email callback_url'],
  ['admin', 'POST /emails/render-email', 'theme preview_html'],
]

const declared = declaredEndpoints()

function patternOf({ route }: DeclaredEndpoint): string {
  return route.replace(/\{\w+\}/g, '{}')
}

describe('the kit can call', () => {
  // Promise: calls-declared
  it.each(calls)('at %s level %s', (access, route, fields = '') => {
    const found = declared.filter(one => one.access === access && patternOf(one) === route)
    expect(found).not.toEqual([])
    // Several definitions may share an address, each with the fields that it needs.
    const sent = new Set(
      found.flatMap(({ places, fixed }) => [
        ...Object.keys(places).map(name => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)),
        ...Object.keys(fixed),
      ]),
    )
    const written = (name: string) => sent.has(name) || sent.has(name.replace(/_millis$/, ''))
    expect(fields.split(' ').filter(name => name !== '' && !written(name))).toEqual([])
  })
})
