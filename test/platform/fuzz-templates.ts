import { ada } from './wire-world'

const callback_url = 'http://localhost:3000/x'
const code = '0'.repeat(45)
const user = {
  primary_email: 'grace@example.com',
  primary_email_verified: true,
  primary_email_auth_enabled: true,
  display_name: 'Grace',
  password: 'correct horse',
  server_metadata: { a: [1] },
}
const oauth = {
  client_id: '10ca1de7-0000-4000-8000-000000000001',
  client_secret: 'pck_local-platform-publishable-client-key-not-a-secret',
}

/** What a well-formed request of the route says, for the fuzzer to spoil. Codes and ids are replaced by ones it has met. */
export const templates: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'POST /check-feature-support': { feature_name: 'x' },
  'POST /check-version': { clientVersion: '2.8.18' },
  'POST /auth/password/sign-up': {
    email: 'new@example.com',
    password: 'correct horse',
    verification_callback_url: callback_url,
  },
  'POST /auth/password/sign-in': { email: ada.email, password: ada.password },
  'POST /auth/password/send-reset-code': { email: ada.email, callback_url },
  'POST /auth/password/reset/check-code': { code },
  'POST /auth/password/reset': { code, password: 'another password' },
  'POST /auth/password/update': { old_password: ada.password, new_password: ada.password },
  'POST /auth/password/set': { password: 'another password' },
  'POST /auth/otp/send-sign-in-code': { email: ada.email, callback_url },
  'POST /auth/otp/sign-in': { code },
  'POST /auth/otp/sign-in/check-code': { code },
  'POST /auth/mfa/sign-in': { type: 'totp', totp: '123456', code },
  'POST /auth/passkey/register': { credential: { id: 'x', rawId: 'x', type: 'public-key', response: {} }, code },
  'POST /auth/passkey/sign-in': {
    authentication_response: { id: 'x', rawId: 'x', type: 'public-key', response: { clientDataJSON: 'e30' } },
    code,
  },
  'POST /auth/oauth/token': {
    ...oauth,
    grant_type: 'refresh_token',
    refresh_token: code,
    code: 'x',
    redirect_uri: callback_url,
    code_verifier: 'x',
  },
  'GET /auth/oauth/authorize/{provider}': {
    ...oauth,
    redirect_uri: callback_url,
    scope: 'legacy',
    state: 'x',
    grant_type: 'authorization_code',
    code_challenge: 'x',
    code_challenge_method: 'S256',
    response_type: 'code',
  },
  'GET /auth/oauth/callback/{provider}': { state: 'x', code: 'x' },
  'POST /connected-accounts/{userId}/{provider}/access-token': { scope: 'openid' },
  'POST /auth/sessions': { user_id: ada.id, expires_in_millis: 1000 },
  'GET /auth/sessions': { user_id: 'me' },
  'DELETE /auth/sessions/{sessionId}': { user_id: 'me' },
  'POST /auth/cli': { expires_in_millis: 1000 },
  'POST /auth/cli/poll': { polling_code: code },
  'POST /auth/cli/complete': { login_code: code, refresh_token: 'x' },
  'POST /contact-channels/me/{contactChannelId}/send-verification-code': { callback_url },
  'POST /contact-channels/{userId}/{contactChannelId}/send-verification-code': { callback_url },
  'POST /contact-channels/send-verification-code': { email: ada.email, callback_url },
  'POST /contact-channels': { user_id: 'me', value: ada.email, type: 'email', used_for_auth: true },
  'PATCH /contact-channels/{userId}/{contactChannelId}': { value: ada.email, type: 'email', is_primary: true },
  'POST /contact-channels/verify': { code },
  'POST /contact-channels/verify/check-code': { code },
  'GET /contact-channels': { user_id: 'me' },
  'PATCH /users/me': { display_name: 'x', client_metadata: { a: 1 }, totp_secret_base64: null },
  'POST /users': user,
  'PATCH /users/{userId}': { ...user, primary_email: 'hopper@example.com' },
  'GET /users': { limit: '2' },
  'POST /internal/projects': { display_name: 'x', config: { domains: [], email_config: { type: 'shared' } } },
  'PATCH /internal/projects/current': {
    config: { allow_localhost: true, domains: [{ domain: 'https://x.example', handler_path: '/' }] },
  },
  'POST /internal/api-keys': {
    description: 'x',
    expires_at_millis: 4_102_444_800_000,
    has_publishable_client_key: true,
    has_secret_server_key: true,
    has_super_secret_admin_key: true,
  },
  'PATCH /internal/api-keys/{apiKeyId}': { revoked: true },
}
