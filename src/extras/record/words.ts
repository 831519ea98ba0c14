import { isErrorCode } from '../../errors/codes'

/** Values that are one of a closed list. */
const values = new Set(
  (
    'me user team email totp anonymous shared standard custom_oidc allow_duplicates link_method raise_error true false google github ' +
    'microsoft facebook apple spotify discord gitlab bitbucket linkedin x twitch refresh_token authorization_code email_not_verified ' +
    'restricted_by_administrator team_admin team_member $update_team $delete_team $read_members $remove_members $invite_members ' +
    '$manage_api_keys waiting success expired used'
  ).split(' '),
)

/** The groups of stores that the kit declares. */
export const groups = new Set(['~user', '~users', '~owned', '~team', '~teams', '~permission'])

/**
 * The names of fields and the words of routes that a recording may contain as they are. A test compares them with the declared
 * endpoints. Every other text is replaced.
 */
const words = new Set(
  // Fields, by their names on the wire.
  (
    'account_id agent_name allow_connected_accounts allow_localhost allow_sign_in allow_team_api_keys allow_user_api_keys api_key_id ' +
    'auth_with_email callback_url can_disable client_id client_metadata client_read_only_metadata client_secret ' +
    'client_team_creation_enabled client_user_deletion_enabled config contact_channel_id create_team_on_sign_up created_at credential ' +
    'created_at_millis creator_user_id credential_enabled description display_name domain domains email email_config email_theme ' +
    'enabled enabled_oauth_providers expires_at expires_at_millis facebook_config_id feature_name handler_path has_password host id ' +
    'invitation_id is_anonymous is_current_session is_impersonation is_primary is_production_mode is_public is_restricted ' +
    'is_verified last_four last_used_at last_used_at_end_user_ip_info logo_dark_mode_url logo_full_dark_mode_url logo_full_url ' +
    'logo_url magic_link_enabled manually_revoked_at manually_revoked_at_millis microsoft_tenant_id new_password new_team_id ' +
    'notification_category_id notification_category_name oauth_account_merge_strategy oauth_provider_id oauth_providers old_password ' +
    'onboarding_status otp_auth_enabled owner_team_id passkey_auth_enabled passkey_enabled password port primary_email ' +
    'primary_email_verified profile_image_url project_id provider provider_account_id provider_config_id recipient_email recursive ' +
    'requires_totp_mfa restricted_by_admin_reason restricted_reason revoked selected_team selected_team_id sender_email sender_name ' +
    'session_id sign_up_enabled signed_up_at signed_up_at_millis team_creator_default_permissions team_display_name team_id ' +
    'team_member_default_permissions totp_secret_base64 type used_for_auth user_count user_default_permissions user_handle user_id username value ' +
    // Names in lists, errors, tokens and the requests of signing in.
    'items pagination next_cursor is_paginated cursor limit code error details message success access_token refresh_token ' +
    'grant_type attempt_code is_new_user user totp status reason login_code polling_code expires_in_millis anon_refresh_token ' +
    'options_json authentication_response ' +
    // Routes.
    'auth check-feature-support connected-accounts contact-channels current emails internal me notification-preference ' +
    'oauth-providers project-permissions projects send-code send-verification-code sessions team-api-keys team-invitations ' +
    'team-member-profiles team-memberships team-permissions teams transfer user-api-keys users anonymous sign-up sign-in cli ' +
    'complete poll mfa oauth callback apple native token otp send-sign-in-code check-code passkey ' +
    'initiate-passkey-authentication initiate-passkey-registration register reset send-reset-code set update accept authorize ' +
    'verify invitations provider_id permission_id ' +
    // Claims of access tokens.
    'sub iat exp refresh_token_id ' +
    // Input of calls.
    'app_url max_attempts wait_millis link_user_id verification_callback_url bot_challenge phase nonce attempt_code confirmation min_millis as everywhere'
  ).split(' '),
)

/** The codes of the kit's own errors, each a `LocalCode`: a test compares them. */
const localCodes = new Set(
  (
    'NETWORK_ERROR TIMED_OUT RATE_LIMITED REQUEST_FAILED INVALID_RESPONSE INVALID_INPUT NOT_ON_THIS_PLATFORM NOT_DEHYDRATED ' +
    'SESSION_CHANGED ANOTHER_USER CALLBACK_FAILED TOKENS_UNAVAILABLE REDIRECT_LOOP REDIRECT_REFUSED POPUP_BLOCKED NOTHING_SAVED ' +
    'WEBHOOK_REJECTED TEST_EMAIL_FAILED DISPOSED ABORTED'
  ).split(' '),
)

/** `isErrorCode` alone takes 75 of a million other texts for codes, and so of the codes of authenticators. */
export function isKnownCode(text: string): boolean {
  return localCodes.has(text) || (/^[A-Z]+(?:_[A-Z]+)+$/.test(text) && isErrorCode(text))
}

export function isKnownValue(text: string): boolean {
  return values.has(text)
}

/** Whether a word, by its name on the wire or here, is one of the closed list. */
export function isKnownWord(word: string): boolean {
  return words.has(word) || words.has(word.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`))
}
