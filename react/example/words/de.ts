import type { ErrorWords, Words } from './en'

/** Every text of the screens in German. */
export const de: Words = {
  language: 'de',
  errors: {
    EMAIL_PASSWORD_MISMATCH: 'Falsche E-Mail-Adresse oder falsches Passwort.',
    USER_EMAIL_ALREADY_EXISTS: 'Es gibt schon ein Konto mit dieser E-Mail-Adresse.',
    PASSWORD_TOO_SHORT: error => `Das Passwort ist zu kurz: Es braucht mindestens ${error.details.minLength} Zeichen.`,
    PASSWORD_TOO_LONG: error => `Das Passwort ist zu lang: Es darf höchstens ${error.details.maxLength} Zeichen haben.`,
    MULTI_FACTOR_AUTHENTICATION_REQUIRED: 'Geben Sie den Code Ihrer Authenticator-App ein.',
    PASSWORD_CONFIRMATION_MISMATCH: error =>
      error.status === undefined ? 'Die beiden Passwörter sind nicht gleich.' : 'Das jetzige Passwort ist falsch.',
    VERIFICATION_CODE_NOT_FOUND: 'Falscher Code. Prüfen Sie ihn, oder lassen Sie sich eine neue E-Mail schicken.',
    VERIFICATION_CODE_EXPIRED: 'Dieser Code ist abgelaufen. Lassen Sie sich eine neue E-Mail schicken.',
    VERIFICATION_CODE_ALREADY_USED: 'Dieser Code wurde schon benutzt. Lassen Sie sich eine neue E-Mail schicken.',
    VERIFICATION_CODE_MAX_ATTEMPTS_REACHED:
      'Mit diesem Code gab es zu viele Versuche. Lassen Sie sich eine neue E-Mail schicken.',
    INVALID_TOTP_CODE: 'Falscher Code. Alle 30 Sekunden gilt ein neuer.',
    EMAIL_ALREADY_VERIFIED: 'Diese Adresse ist schon bestätigt.',
    SIGN_UP_NOT_ENABLED: 'Mit dieser Adresse gibt es kein Konto, und neue Konten können hier nicht angelegt werden.',
    REDIRECT_URL_NOT_WHITELISTED:
      'Links in E-Mails dürfen nicht zu dieser Website führen. Bitte sagen Sie es dem Betreiber.',
    PASSKEY_WEBAUTHN_ERROR: 'Es wurde kein Passkey benutzt. Sie können es noch einmal versuchen.',
    PASSKEY_REGISTRATION_FAILED: 'Dieser Passkey wurde nicht angenommen.',
    PASSKEY_AUTHENTICATION_FAILED: 'Dieser Passkey wurde nicht angenommen.',
    ANOTHER_USER:
      'Das ist die Anmeldung eines anderen Kontos, darum ist nichts geschehen. Sie sind weiter mit Ihrem Konto angemeldet.',
    POPUP_BLOCKED: 'Ihr Browser hat das Fenster blockiert. Erlauben Sie es, und versuchen Sie es noch einmal.',
    ANONYMOUS_ACCOUNTS_NOT_ENABLED: 'Für diese App brauchen Sie ein Konto.',
    OAUTH_PROVIDER_ACCESS_DENIED: 'Sie haben abgebrochen und wurden darum nicht angemeldet.',
    OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER: 'Dieses Konto ist hier mit einem anderen Benutzer verbunden.',
    OAUTH_PROVIDER_ACCOUNT_ID_ALREADY_USED_FOR_SIGN_IN: 'Ein anderer Benutzer meldet sich hier mit diesem Konto an.',
    USER_ALREADY_CONNECTED_TO_ANOTHER_OAUTH_CONNECTION: 'Sie haben schon ein anderes Konto dieses Anbieters verbunden.',
    CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE:
      'Es gibt schon ein Konto mit dieser Adresse. Melden Sie sich zuerst dort an.',
    OUTER_OAUTH_TIMEOUT: 'Das hat zu lange gedauert. Bitte melden Sie sich noch einmal an.',
    INVALID_AUTHORIZATION_CODE: 'Das hat zu lange gedauert. Bitte melden Sie sich noch einmal an.',
    USER_AUTHENTICATION_REQUIRED: 'Bitte melden Sie sich zuerst an.',
    CANNOT_DELETE_CURRENT_SESSION: 'Das ist die Sitzung, in der Sie gerade sind.',
    REDIRECT_LOOP: 'Diese Seite und die Anmeldeseite schicken Sie hin und her. Blockiert Ihr Browser Cookies?',
    TEAM_PERMISSION_REQUIRED: 'Dazu haben Sie keine Berechtigung mehr.',
    TEAM_NOT_FOUND: 'Dieses Team gibt es nicht mehr, oder Sie gehören nicht dazu.',
    TEAM_MEMBERSHIP_NOT_FOUND: 'Dieses Team gibt es nicht mehr, oder Sie gehören nicht dazu.',
    TEAM_INVITATION_EMAIL_MISMATCH:
      'Diese Einladung ging an eine Adresse, die keine bestätigte Ihres Kontos ist. Fügen Sie die Adresse hinzu und bestätigen Sie sie, oder nehmen Sie das Konto, das sie hat.',
    TEAM_INVITATION_RESTRICTED_USER_NOT_ALLOWED: error => restricted(error.details.restrictedReason.type),
    API_KEY_NOT_FOUND: 'Diesen Schlüssel gibt es nicht mehr, oder Sie dürfen ihn nicht benutzen.',
    REQUIRES_CUSTOM_EMAIL_SERVER:
      'Dazu braucht es einen eigenen Mailserver. Richten Sie ihn zuerst unter „Mailserver“ ein.',
    EMAIL_NOT_EDITABLE: 'Diese E-Mail ist schon verschickt.',
    EMAIL_RENDERING_ERROR: error => `Die E-Mail kann nicht gezeigt werden: ${error.details.error}.`,
    ABORTED: 'Das wurde abgebrochen.',
    NETWORK_ERROR: error =>
      error.details.offline
        ? 'Sie sind offline. Versuchen Sie es noch einmal, wenn Sie verbunden sind.'
        : 'Der Server ist nicht erreichbar. Bitte versuchen Sie es noch einmal.',
    TIMED_OUT: 'Der Server hat nicht rechtzeitig geantwortet. Bitte versuchen Sie es noch einmal.',
    RATE_LIMITED: 'Zu viele Versuche. Bitte warten Sie einen Moment.',
    INVALID_INPUT: 'Das wurde nicht angenommen. Bitte prüfen Sie Ihre Eingaben.',
    SCHEMA_ERROR: 'Das wurde nicht angenommen. Bitte prüfen Sie Ihre Eingaben.',
  } satisfies ErrorWords,
  otherError: 'Etwas ist schiefgegangen. Bitte versuchen Sie es noch einmal.',
}

function restricted(type: string): string {
  switch (type) {
    case 'anonymous':
      return 'Ein Gast kann keinem Team beitreten. Legen Sie zuerst ein Konto an.'
    case 'email_not_verified':
      return 'Bestätigen Sie zuerst Ihre E-Mail-Adresse, und treten Sie dann dem Team bei.'
    default:
      return 'Ihr Konto ist eingeschränkt und kann darum keinem Team beitreten. Fragen Sie den Support dieser App.'
  }
}
