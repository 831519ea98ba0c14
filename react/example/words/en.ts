import { createElement, Fragment, type ReactNode } from 'react'
import type { AuthErrorOf, AnyAuthError } from 'rxauth'

/** The text for an error by its code. A text that names a limit takes it from the error. */
export type ErrorWords = { readonly [C in AnyAuthError['code']]?: string | ((error: AuthErrorOf<C>) => string) }

/** A sentence with an element in it, such as an address in bold. */
export function sentence(...parts: readonly ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...parts)
}

/** Every text of the screens in English. */
export const en = {
  /** As in the attribute `lang`: dates and lists are written in it, too. */
  language: 'en',
  /** Signing in and up: the folder `sign-in`. */
  signIn: {
    title: 'Sign in',
    subtitle: 'Welcome back. Please sign in to continue.',
    adding: 'The account is added to those of this browser.',
    methods: 'Sign-in methods',
    password: 'Password',
    change: 'Change',
    forgot: 'Forgot your password?',
    sendLink: 'E-mail me a sign-in link',
    withProvider: (name: string) => `Continue with ${name}`,
    withSaved: 'Sign in with what is saved here',
    withPasskey: 'Sign in with a passkey',
    aPasskey: 'A passkey',
    asGuest: 'Continue as a guest',
    lastUsed: 'Last used',
    lastPassword: 'You signed in with your password last time.',
    lastLink: 'You signed in with an e-mail link last time.',
    inOtherApp: (method: string) => `${method} may not work inside another app. Open this page in your browser.`,
    remember: 'Stay signed in on this device',
    forgotten: 'You are signed out when you close the browser.',
    isNew: 'New here?',
    /** Why the last session has ended. */
    ended: {
      'signed-out': 'You have signed out.',
      elsewhere: 'You have signed out in another tab.',
      expired: 'Your session has ended. Please sign in again.',
      deleted: 'Your account has been deleted.',
      idle: 'You were signed out because nothing was done for a while.',
      limit: 'You were signed out because the session had reached its greatest age.',
    },
  },
  /** The dialog before the end of a session. */
  sessionLimit: {
    title: 'Are you still there?',
    idle: (time: string) => `You will be signed out at ${time}, because nothing was done for a while.`,
    limit: (time: string) => `You will be signed out at ${time}, and can then sign in again. Save your work before.`,
    stay: 'Stay signed in',
    understood: 'Got it',
    signOut: 'Sign out now',
  },
  signUp: {
    title: 'Create your account',
    subtitle: 'It takes less than a minute.',
    submit: 'Create account',
    sendLink: 'E-mail me a link',
    usePassword: 'Use a password instead',
    useLink: 'Use an e-mail link instead',
    isClosed: 'Sign-ups are closed at the moment.',
    hasAccount: 'Already have an account?',
  },
  /** After a mail with a link and a code. */
  linkSent: {
    title: 'Check your e-mail',
    text: (email: ReactNode) =>
      sentence('We sent a link and a code to ', email, '. Open the link, or enter the code here.'),
    sentAgain: 'We sent another e-mail.',
  },
  /** The pages that links of mails, providers and programs lead to: the folder `handlers`. */
  pages: {
    toStart: 'Go to the start page',
    toSignIn: 'Back to sign-in',
    toTeams: 'Go to your teams',
    newMail: 'Ask for a new e-mail',
    oneMoment: 'One moment…',
    waiting: 'One moment',
    failed: 'Something went wrong',
    signInFailed: 'Something went wrong. Please sign in again.',
    signingOut: 'Signing you out…',
    notFound: {
      title: 'Page not found',
      text: 'There is nothing at this address. The link may be old or mistyped.',
    },
    /** Why the link of a mail cannot be used. */
    link: {
      incomplete: 'This link is incomplete. Open the link in the e-mail again, or ask for a new one.',
      expired: 'This link has expired. Ask for a new one.',
      used: 'This link has been used already. Ask for a new one.',
      tooOften: 'This link has been opened too often. Ask for a new one.',
      invalid: 'This link is not valid. Open the link in the e-mail again, or ask for a new one.',
    },
    magicLink: {
      title: 'Sign in',
      text: 'Continue to sign in to your account.',
    },
    oauth: {
      title: 'Signing you in…',
      failed: 'Not signed in',
      unknown: 'This address does not belong to a sign-in that was started in this browser.',
    },
    mfa: {
      title: 'Two-step verification',
      text: 'Enter the six digits that your authenticator app shows.',
      nothing: 'There is no sign-in to continue in this tab.',
      signIn: 'Sign in again',
    },
    forgot: {
      title: 'Forgot your password?',
      text: 'Enter your e-mail address. We will send you a link to choose a new password.',
      submit: 'Send the link',
      sentText: (email: ReactNode) =>
        sentence('If there is an account with ', email, ', an e-mail with a link is on its way.'),
      other: 'Try another address',
    },
    reset: {
      title: 'Choose a new password',
      checking: 'Checking the link',
      password: 'New password',
      submit: 'Change password',
      done: 'Your password is changed',
      doneText: 'You have been signed out everywhere. Sign in with your new password.',
    },
    verify: {
      title: 'Verify your e-mail address',
      text: 'Confirm that this e-mail address belongs to you.',
      submit: 'Verify e-mail address',
      done: 'Your e-mail address is verified',
    },
    /** For a user who may not go on yet. */
    verifyFirst: {
      title: 'Verify your e-mail address first',
      text: (email: string | null) => `Open the link in the mail to ${email ?? 'your address'}, on any device.`,
      done: 'I have verified it',
      sentAgain: 'We sent another link.',
      other: 'Use another address',
      otherEmail: 'Another e-mail address',
      otherSubmit: 'Use this one',
      restricted: 'Your account is restricted',
      restrictedText:
        'You can use this app again when its team has ended the restriction. Ask the support of this app.',
      look: 'Look again',
    },
    invitation: {
      title: 'Join a team',
      text: 'You are invited to a team. Sign in or create an account to see which one, and to join it.',
      whichAccount: 'Use an account with the e-mail address that was invited.',
      join: (team: string) => `Join ${team}`,
      joinText: (team: ReactNode, user: ReactNode) =>
        sentence('You are invited to the team ', team, '. You join as ', user, '.'),
      submit: 'Join the team',
      notNow: 'Not now',
      otherAccount: 'Use another account',
      joined: (team: string) => `You are now in the team ${team}.`,
      isMember: 'You are in this team already.',
      open: 'Open the team',
      emails: 'Your e-mail addresses',
      /** Why it cannot be used. */
      expired: 'This invitation has expired. Ask for a new one.',
      used: 'This invitation has been used already. If it was you, the team is among yours.',
      invalid: 'This invitation is not valid: it was withdrawn, or the link is not complete. Ask for a new one.',
      tooOften: 'This link has been opened too often. Ask for a new invitation.',
      noTeam: 'The team that you were invited to is not there any more.',
      incomplete: 'This link is incomplete. Open the link in the e-mail again, or ask for a new invitation.',
    },
    /** The sign-in of a command line program. */
    program: {
      title: 'Sign in to a program',
      question: 'Sign in to a program?',
      text: (user: ReactNode) =>
        sentence(
          'A program in a terminal asks to act as ',
          user,
          '. It can do everything that you can do here, until you sign out.',
        ),
      compare: 'Compare: the address in your terminal ends with',
      end: 'End of the address',
      warning: 'Continue only if you have started this program yourself, just now.',
      done: 'The program is signed in',
      doneText: 'You can close this page and go back to your terminal.',
      incomplete: 'This address is incomplete. Copy the whole address that the program shows in your terminal.',
      invalid:
        'This address is not valid: it was used already, has expired, or is incomplete. Start the sign-in of the program again.',
      claim: 'Keep what you did in the program?',
      claimText:
        'The program in your terminal was used without an account. If you create one now, everything that you did there belongs to it. The program is signed in to the account at once, and can do everything that you can do here.',
      isSame: 'The address in my terminal ends with the same characters',
      otherAccount: 'Sign in to another account instead',
    },
  },
  /** The user menu, and what is shown in place of a page: the folder `shell`. */
  shell: {
    offline: 'You are offline. This page continues when you are connected.',
    account: (name: string) => `Account: ${name}`,
    guest: 'Guest',
    /** For a user without a name and an address. */
    noName: 'Account',
    /** The name of the link to the start page while that of the app is not known. */
    home: 'Start page',
    switchTo: (name: string) => `Switch to ${name}`,
    signInAgain: (name: string) => `Sign in again: ${name}`,
    addAccount: 'Add another account',
    signOutOfAll: 'Sign out of all accounts',
    actingAs: (name: string) => `You are acting as ${name}.`,
    stopActing: 'Stop',
    invitations: (count: number) => (count === 1 ? '1 invitation' : `${count} invitations`),
  },
  /** Parts of pages: the folder `ui`. */
  ui: {
    signIn: 'Sign in',
    signUp: 'Create an account',
    signOut: 'Sign out',
    or: 'or',
    email: 'E-mail address',
    code: 'Code',
    next: 'Continue',
    sendAgain: 'Send again',
    otherMethod: 'Use another method',
    loading: 'Loading',
    loadingOf: (name: string) => `${name}: loading`,
    tryAgain: 'Try again',
    cancel: 'Cancel',
    close: 'Close',
    save: 'Save',
    saving: 'Saving…',
    saved: 'Saved.',
    copy: 'Copy',
    copyOf: (name: string) => `Copy: ${name}`,
    copied: 'Copied',
    actionsFor: (name: string) => `Actions for ${name}`,
    box: (name: string, index: number, count: number) => `${name}: ${index} of ${count}`,
    checkingCode: 'Checking the code',
    showPassword: 'Show password',
    hidePassword: 'Hide password',
    passwordLength: (min: number) => `At least ${min} characters`,
    passwordTooShort: (min: number) => `Use at least ${min} characters.`,
    passwordTooLong: (max: number) => `Use at most ${max} characters.`,
    emailExample: 'ada@example.com',
    notAnEmail: 'Enter an e-mail address, like ada@example.com.',
    noPicture: 'No picture',
    upload: 'Upload a picture',
    remove: 'Remove',
    pictureTypes: 'PNG, JPEG or WebP',
    forbidden: 'You do not have permission to see this.',
    isOff: (feature: ReactNode, setting: ReactNode) => sentence(feature, ' (', setting, ' is off.)'),
    lastKnown: (isOffline: boolean, time: ReactNode) =>
      sentence(
        isOffline ? 'You are offline.' : 'The server cannot be reached.',
        ' This is what was known at ',
        time,
        '.',
      ),
  },
  /** An error's own message is for developers. */
  errors: {
    EMAIL_PASSWORD_MISMATCH: 'Wrong e-mail or password.',
    USER_EMAIL_ALREADY_EXISTS: 'An account with this e-mail address already exists.',
    PASSWORD_TOO_SHORT: error => `The password is too short: use at least ${error.details.minLength} characters.`,
    PASSWORD_TOO_LONG: error => `The password is too long: use at most ${error.details.maxLength} characters.`,
    MULTI_FACTOR_AUTHENTICATION_REQUIRED: 'Enter the code of your authenticator app.',
    PASSWORD_CONFIRMATION_MISMATCH: error =>
      error.status === undefined ? 'The two passwords are not the same.' : 'Wrong current password.',
    VERIFICATION_CODE_NOT_FOUND: 'Wrong code. Check it, or ask for a new e-mail.',
    VERIFICATION_CODE_EXPIRED: 'This code has expired. Ask for a new e-mail.',
    VERIFICATION_CODE_ALREADY_USED: 'This code has been used already. Ask for a new e-mail.',
    VERIFICATION_CODE_MAX_ATTEMPTS_REACHED: 'There were too many attempts with this code. Ask for a new e-mail.',
    INVALID_TOTP_CODE: 'Wrong code. Codes change every 30 seconds.',
    EMAIL_ALREADY_VERIFIED: 'This address is verified already.',
    SIGN_UP_NOT_ENABLED: 'There is no account with this address, and new accounts cannot be created here.',
    REDIRECT_URL_NOT_WHITELISTED: 'Links in e-mails may not lead to this website. Please tell its owner.',
    PASSKEY_WEBAUTHN_ERROR: 'No passkey was used. You can try again.',
    PASSKEY_REGISTRATION_FAILED: 'This passkey was not accepted.',
    PASSKEY_AUTHENTICATION_FAILED: 'This passkey was not accepted.',
    ANOTHER_USER:
      'That is the sign-in of another account, so nothing has happened. You are still signed in with yours.',
    NOTHING_SAVED: 'This browser has nothing saved for this site. Sign in below.',
    POPUP_BLOCKED: 'Your browser has blocked the window. Allow it, and try again.',
    ANONYMOUS_ACCOUNTS_NOT_ENABLED: 'You need an account to use this app.',
    OAUTH_PROVIDER_ACCESS_DENIED: 'You cancelled, so you have not been signed in.',
    OAUTH_CONNECTION_ALREADY_CONNECTED_TO_ANOTHER_USER: 'That account is connected to another user here.',
    OAUTH_PROVIDER_ACCOUNT_ID_ALREADY_USED_FOR_SIGN_IN: 'Another user signs in with that account here.',
    USER_ALREADY_CONNECTED_TO_ANOTHER_OAUTH_CONNECTION: 'You have connected another account of this provider already.',
    CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE:
      'There is an account with this address already. Sign in to it first.',
    OUTER_OAUTH_TIMEOUT: 'That took too long. Please sign in again.',
    INVALID_AUTHORIZATION_CODE: 'That took too long. Please sign in again.',
    USER_AUTHENTICATION_REQUIRED: 'Please sign in first.',
    CANNOT_DELETE_CURRENT_SESSION: 'This is the session that you are using.',
    REDIRECT_LOOP: 'This page and the sign-in page send you back and forth. Does your browser block cookies?',
    TEAM_PERMISSION_REQUIRED: 'You no longer have permission to do this.',
    TEAM_NOT_FOUND: 'This team no longer exists, or you are not in it.',
    TEAM_MEMBERSHIP_NOT_FOUND: 'This team no longer exists, or you are not in it.',
    TEAM_INVITATION_EMAIL_MISMATCH:
      'This invitation was sent to an address that is not a verified one of your account. Add and verify that address, or use the account that has it.',
    TEAM_INVITATION_RESTRICTED_USER_NOT_ALLOWED: error => restricted(error.details.restrictedReason.type),
    API_KEY_NOT_FOUND: 'This key no longer exists, or you have no permission to use it.',
    REQUIRES_CUSTOM_EMAIL_SERVER: 'This needs a mail server of your own. Set it up under “Mail server” first.',
    EMAIL_NOT_EDITABLE: 'This mail has gone out already.',
    EMAIL_RENDERING_ERROR: error => `The e-mail cannot be shown: ${error.details.error}.`,
    ABORTED: 'This was cancelled.',
    NETWORK_ERROR: error =>
      error.details.offline
        ? 'You are offline. Try again when you are connected.'
        : 'The server cannot be reached. Please try again.',
    TIMED_OUT: 'The server did not answer in time. Please try again.',
    RATE_LIMITED: 'Too many attempts. Please wait a moment.',
    INVALID_INPUT: 'This was not accepted. Please check what you have entered.',
    SCHEMA_ERROR: 'This was not accepted. Please check what you have entered.',
  } satisfies ErrorWords,
  /** For an error without a text of its own. */
  otherError: 'Something went wrong. Please try again.',
  /** The settings of the account: the folder `settings`. */
  account: {
    title: 'Account settings',
    profile: {
      title: 'Profile',
      seen: 'What other people see',
      yourPicture: 'Your picture',
      name: 'Display name',
      account: 'Account',
      accountText: 'Our support may ask you for your user id.',
      id: 'User id',
      memberSince: (day: string) => `Member since ${day}`,
    },
    emails: {
      title: 'E-mail addresses',
      yours: 'Your e-mail addresses',
      yoursText: 'We write to the primary address. You can sign in with each address that is used for sign-in.',
      none: 'You have no e-mail address yet.',
      add: 'Add an address',
      addText: 'We will send a link to it to verify that it is yours.',
      newAddress: 'New e-mail address',
      submit: 'Add address',
      primary: 'Primary',
      forSignIn: 'Used for sign-in',
      unverified: 'Unverified',
      resend: 'Resend link',
      resendTo: (email: string) => `Resend link to ${email}`,
      resent: (email: string) => `A new link is on its way to ${email}.`,
      makePrimary: 'Make primary',
      use: 'Use for sign-in',
      doNotUse: 'Do not use for sign-in',
      delete: 'Delete',
      deleteQuestion: 'Delete this address?',
      deleteAnswer: 'Delete address',
      noSignIn: (email: string) => `You can no longer sign in with ${email}.`,
      noSignInNorMail: (email: string) => `You can no longer sign in with ${email}. It is also where we write to.`,
      noMail: 'We will have no address to write to.',
      notYours: (email: string) => `${email} will no longer belong to your account.`,
    },
    security: {
      title: 'Security',
      on: 'On',
      password: 'Password',
      passwordChangeText: 'Changing your password signs you out on all other devices.',
      passwordSetText: 'Set a password to sign in with your e-mail address and password.',
      change: 'Change password',
      set: 'Set password',
      changed: 'Your password is changed.',
      current: 'Current password',
      new: 'New password',
      noCurrent: 'Enter your current password.',
      passkey: 'Passkey',
      passkeyText: 'Sign in with your fingerprint, face or screen lock instead of a password.',
      addPasskey: 'Add a passkey',
      removeQuestion: 'Remove your passkey?',
      removeText: 'You can no longer sign in with it. You can add a new one at any time.',
      removeAnswer: 'Remove passkey',
      twoStep: 'Two-step verification',
      twoStepText: 'Sign-in then also requires a code from an authenticator app.',
      setUp: 'Set up',
      turnOff: 'Turn off',
      turnOffQuestion: 'Turn off two-step verification?',
      turnOffText:
        'Your password or passkey alone will be enough to sign in. Your authenticator app can no longer be used for this account.',
      noRecovery:
        'There are no recovery codes. Without your authenticator app you cannot sign in, and only our support can turn two-step verification off. Keep the app on a second device, too.',
      noRecoveryYet:
        'There are no recovery codes. Without your authenticator app you cannot sign in, and only our support can turn two-step verification off. Before you continue, save the key in a password manager, or keep the app on a second device, too.',
      scan: 'Scan the code',
      confirm: 'Confirm it',
      code: 'Code that the app shows',
      back: 'Back',
      next: 'Next',
      scanText: 'Scan this with an authenticator app, such as Google Authenticator or 1Password.',
      qrCode: 'QR code for an authenticator app',
      orKey: 'Or enter this key in the app:',
      key: 'Key for the authenticator app',
    },
    connected: {
      title: 'Connected accounts',
      section: 'Sign in with another service',
      text: 'Connect an account to sign in with it instead of a password.',
      none: 'There are no services to connect.',
      connect: 'Connect',
      connectTo: (provider: string) => `Connect ${provider}`,
      another: 'Connect another',
      anotherOf: (provider: string) => `Connect another account of ${provider}`,
      connected: 'Connected',
      accountOf: (provider: string) => `Account of ${provider}`,
      disconnect: 'Disconnect',
      disconnectThis: (account: string) => `Disconnect ${account}`,
      disconnectQuestion: (account: string) => `Disconnect ${account}?`,
      disconnectText: (provider: string) =>
        `You can no longer sign in with this account of ${provider}, and this app can no longer use it. Make sure that you have another way to sign in.`,
      forSignIn: 'Use it for sign-in',
      forApp: 'Let this app use it',
    },
    apiKeys: {
      title: 'API keys',
      text: 'Programs use API keys to act on your behalf.',
    },
    notifications: {
      title: 'Notifications',
      section: 'E-mails',
      text: 'Choose which e-mails you receive.',
      none: 'There are no optional e-mails.',
      alwaysOn: 'Always on',
      /** The platform's own, by its name for them; those of a project have only the name that the project gives them. */
      categories: {
        Transactional: { name: 'Transactional', hint: 'Sign-in links, security alerts and invitations.' },
        Marketing: { name: 'Marketing', hint: 'News and offers.' },
      },
    },
    sessions: {
      title: 'Sessions',
      section: 'Where you are signed in',
      text: 'Sign out devices that you no longer use or do not recognise.',
      none: 'There are no sessions.',
      device: (browser: string, system: string) => `${browser} on ${system}`,
      otherDevice: 'Another device',
      thisDevice: 'This device',
      signedIn: (time: ReactNode) => sentence('Signed in ', time),
      lastUsed: (time: ReactNode) => sentence('Last used ', time),
      signOutOf: (device: string, time: string) => `Sign out ${device}, signed in ${time}`,
      question: 'Sign out this device?',
      consequence: (device: string, time: string) =>
        `${device}, signed in on ${time}, has to sign in again. An open device may keep access for up to ten minutes.`,
      answer: 'Sign out device',
      everywhere: 'Sign out everywhere',
      everywhereQuestion: 'Sign out on every device?',
      everywhereConsequence:
        'You have to sign in again on each of them, including this one. An open device may keep access for up to ten minutes.',
      everywhereText:
        'Signs you out on all devices, including this one. An open device may keep access for up to ten minutes.',
    },
    danger: {
      title: 'Danger zone',
      delete: 'Delete account',
      text: 'Your account and everything that belongs to it will be deleted for good.',
      isOff: 'Accounts cannot be deleted here.',
      question: 'Delete your account?',
      consequence: (account: string) =>
        `The account ${account} and everything that belongs to it will be deleted. This cannot be undone. Confirm that it is you.`,
      answer: 'Delete account for good',
      totp: 'Code of your authenticator app',
      nothing: 'This account has nothing to confirm with yet. Set a password, or verify your e-mail address.',
      withPasskey: 'Confirm with a passkey',
      withProvider: (provider: string) => `Confirm with ${provider}`,
      withPassword: 'Confirm with your password',
      password: 'Your password',
      mailedCode: (email: string) => `Code in the e-mail to ${email}`,
      sendCode: 'E-mail me a code',
    },
  },
  /** Teams, their members and invitations: the folder `teams`. */
  team: {
    switcher: {
      label: (team: string) => `Team: ${team}`,
      none: 'No team',
      switch: 'Switch team',
      settings: 'Team settings',
      all: 'All teams',
      loading: 'Loading the teams…',
      failed: 'The teams cannot be loaded.',
    },
    create: {
      title: 'Create a team',
      submit: 'Create team',
      name: 'Team name',
      example: 'Analytical Engines',
      noName: 'Give the team a name.',
    },
    choose: {
      title: 'Teams',
      section: 'Your teams',
      text: 'Choose a team to work in.',
      none: 'You are not in a team yet. Ask a member of a team for an invitation.',
      noneYet: 'You are not in a team yet. Create one, or ask a member of another team for an invitation.',
      isOff: 'New teams cannot be created here.',
      open: 'Open',
      openTeam: (team: string) => `Open ${team}`,
    },
    members: {
      title: 'Members',
      section: 'Team members',
      none: 'The team has no members.',
      noName: 'Without a name',
      you: 'You',
      roles: { team_admin: 'Admin', team_member: 'Member' },
      makeAdmin: 'Change role to Admin',
      makeMember: 'Change role to Member',
      remove: 'Remove from the team',
      question: 'Remove this member?',
      consequence: (name: string) =>
        `${name} can no longer see or change anything of this team. They need a new invitation to come back.`,
      answer: 'Remove member',
    },
    invitations: {
      title: 'Invitations',
      text: 'We will send a link to join. It works for seven days.',
      none: 'There are no open invitations.',
      invite: 'Invite',
      email: 'E-mail address to invite',
      submit: 'Send invitation',
      expires: (day: ReactNode) => sentence('Expires ', day),
      revoke: 'Revoke',
      revokeOf: (email: string) => `Revoke the invitation of ${email}`,
      question: 'Revoke this invitation?',
      consequence: (email: string) => `The link sent to ${email} will stop working.`,
      answer: 'Revoke invitation',
    },
    /** Invitations of other teams to the user. */
    ownInvitations: {
      title: 'Invitations',
      section: 'Teams that invite you',
      text: 'Invitations to your verified e-mail addresses. You can ignore those that you do not want.',
      none: 'There are no open invitations to you.',
      detail: (email: string, day: ReactNode) => sentence('Sent to ', email, ', expires ', day),
      join: 'Join',
      gone: (team: string) => `The invitation to ${team} was used or revoked, or has expired.`,
    },
    profile: {
      title: 'Team profile',
      section: 'Team',
      text: 'Visible to all members of the team.',
      picture: "The team's picture",
      name: 'Team name',
      noName: 'A team needs a name.',
      support: 'For support',
      supportText: 'Our support may ask you for it.',
      id: 'Team id',
      own: 'Your profile in this team',
      ownText: 'The name and picture that this team sees. Without them it sees those of your account.',
      ownPicture: 'Your picture in this team',
      ownName: 'Your name in this team',
      noOwnName: 'Enter a name.',
    },
    apiKeys: {
      title: 'Team API keys',
      text: 'Programs use them to act for this team.',
    },
    danger: {
      title: 'Leave or delete',
      leave: 'Leave team',
      leaveText: 'You need a new invitation to come back.',
      leaveQuestion: 'Leave this team?',
      leaveConsequence: (team: string) =>
        `You can no longer see or change anything of ${team}. You need a new invitation to come back.`,
      left: (team: string) => `You have left ${team}.`,
      delete: 'Delete team',
      deleteText: 'The team and everything that belongs to it will be deleted for good, for all members.',
      deleteQuestion: 'Delete this team?',
      deleteConsequence: (team: string) =>
        `${team}, its members' access, its invitations and its API keys will be deleted for good. This cannot be undone.`,
      deleteAnswer: 'Delete team for good',
      deleted: (team: string) => `${team} has been deleted.`,
    },
  },
  /** API keys of a user or of a team: the folder `api-keys`. */
  apiKeys: {
    title: 'Keys',
    none: 'No keys yet.',
    isOff: 'There are no API keys here.',
    create: 'Create a key',
    submit: 'Create key',
    purpose: 'What it is for',
    purposeExample: 'Nightly import',
    noPurpose: 'Say what the key is for.',
    expiresAfter: 'Expires after',
    days: (count: number) => `${count} days`,
    oneYear: 'One year',
    never: 'Never',
    warning: 'The key gives full access on behalf of its owner until it expires or is revoked.',
    created: 'Your new key',
    copyNow: 'Copy the key now and keep it in a safe place. It will not be shown again.',
    newKey: 'New key',
    done: 'Done',
    endsWith: (end: string) => `Ends with ${end}`,
    states: { expired: 'Expired', 'manually-revoked': 'Revoked' },
    createdOn: (day: ReactNode) => sentence('Created ', day),
    expiredOn: (day: ReactNode) => sentence('expired ', day),
    expiresOn: (day: ReactNode) => sentence('expires ', day),
    rename: 'Rename',
    renameTitle: 'Rename this key',
    renameSubmit: 'Rename key',
    revoke: 'Revoke',
    revokeQuestion: 'Revoke this key?',
    revokeConsequence: (purpose: string, end: string) =>
      `Programs that use “${purpose}” (…${end}) will lose access. This cannot be undone.`,
    revokeAnswer: 'Revoke key',
  },
}

/** The texts of one language. */
export type Words = SameTexts<typeof en>

/** The texts of `T` in any wording. */
type SameTexts<T> = T extends string
  ? string
  : T extends (...values: infer A) => infer R
    ? (...values: A) => R extends string ? string : R
    : { readonly [K in keyof T]: SameTexts<T[K]> }

/** The advice to a person with a restriction before joining a team. */
function restricted(type: string): string {
  switch (type) {
    case 'anonymous':
      return 'A guest cannot join a team. Create an account first.'
    case 'email_not_verified':
      return 'Verify your e-mail address first, then join the team.'
    default:
      return 'Your account is restricted, so it cannot join a team. Ask the support of this app.'
  }
}
