import { ada } from './wire-world'

// The fuzzer's texts: known troublemakers, and the field names of requests.

const words = (text: string) => text.trim().split(/\s+/)

const nul = String.fromCharCode(0)
export const texts = [
  '',
  ' ',
  'me',
  'x',
  nul,
  `a${nul}b`,
  '\u202e',
  '\ud800',
  '💥'.repeat(50),
  '../../..',
  '%00',
  '%',
  "'; drop table users; --",
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'null',
  'true',
  '0',
  '-1',
  '1e999',
  'x'.repeat(45),
  '0'.repeat(45),
  'x'.repeat(5000),
  ada.email,
  ada.id,
  'unknown@example.com',
  'a@b',
  'http://localhost/x',
  'https://evil.example/',
  'javascript://localhost/%0aalert(1)',
  '//evil.example',
  'http://[::1]/',
  'data:image/png;base64,AAAA',
  'AAAA',
  'authorization_code',
  'refresh_token',
  'legacy',
  'S256',
  'link',
  'totp',
  'internal',
  'github',
  'google',
  '$2a$04$' + 'a'.repeat(53),
  '00000000-0000-4000-8000-000000000000',
]
export const headerTexts = texts.filter(text => /^[\x20-\x7e]*$/.test(text))
export const names = words(`
  email password code callback_url verification_callback_url user_id totp type old_password new_password
  polling_code login_code refresh_token expires_in_millis is_impersonation display_name config description
  primary_email primary_email_verified primary_email_auth_enabled password_hash client_metadata
  server_metadata profile_image_url selected_team_id totp_secret_base64 otp_auth_enabled passkey_auth_enabled
  is_anonymous oauth_providers credential authentication_response scope grant_type client_id client_secret
  redirect_uri code_verifier state code_challenge code_challenge_method response_type token provider_scope
  error_redirect_url after_callback_redirect_url limit cursor order_by desc query team_id contact_channel_id
  expires_at_millis has_secret_server_key revoked is_production_mode contained_permission_ids subject content
  theme preview_html recipient_email email_config __proto__ toString unknown
`)
export const headerNames = words(`
  x-stack-access-type x-stack-project-id x-stack-branch-id x-stack-publishable-client-key
  x-stack-secret-server-key x-stack-super-secret-admin-key x-stack-admin-access-token
  x-stack-development-override-key x-stack-access-token x-stack-refresh-token x-stack-override-error-status
  content-type accept cookie authorization x-stack-client-version
`)
export const types = [
  'application/json',
  'application/json; charset=utf-8',
  'application/x-www-form-urlencoded',
  'text/plain',
  'application/octet-stream',
  'multipart/form-data',
  'nonsense',
  '',
]
export const pages = words(`
  /mailbox /health /oauth-provider/github/authorize
  /oauth-provider/github/userinfo /oauth-provider/x/y
`)
