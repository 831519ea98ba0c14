const bug = 'rxauth keeps the session then: the version that made the recording has a bug.'
const once = 'the same refresh token, which a platform that rotates them takes only once'
const oneTab = 'The recording of one tab cannot tell which.'

/** Why a session ended, for the developer of an app. */
export const causes = {
  'signed-out': 'The app signed out in this tab.',
  idle: 'sessionLimits() ended the session: there was no activity for idleMillis.',
  limit: 'sessionLimits() ended the session: it was as old as absoluteMillis.',
  otherTab: 'Another tab signed out.',
  twoTabs: `Two tabs refreshed at once and sent ${once}.`,
  lostAnswer: `The answer to an earlier refresh was lost, and this tab sent ${once}.`,
  pageLeft: `The platform refused the refresh token that was there when the page began: the page before was left during a refresh, or the session was ended elsewhere. ${oneTab}`,
  offline: `The browser was offline, so that the refresh had no answer. ${bug}`,
  unanswered: `The refresh had no answer. ${bug}`,
  failing: `The platform failed, or was being deployed. ${bug}`,
  tooMany: `The platform asked this tab to wait. ${bug}`,
  proxy: `A proxy, a firewall or the sign-in page of a network answered in place of the platform. ${bug}`,
  slept: 'The machine slept, or its clock was set ahead, past the end of the access token. There was no refresh token.',
  wrongClock:
    'The clock of this machine is ahead of that of the platform: a valid access token counted as expired. There was no refresh token.',
  expired: 'The access token expired, and there was no refresh token.',
  sevenDays:
    'The tokens vanished more than 7 days after they were stored: Safari deletes then what scripts have stored.',
  noTokens:
    'There were no tokens when the page began: there was no sign-in before, or the browser has emptied its storage since, as iOS does in web views and home-screen apps.',
  notKept: 'The browser did not keep what this tab had just stored: it blocks cookies, or they are longer than 4 KB.',
  vanished:
    'The tokens vanished, and no tab said that it signed out: the user or the browser deleted the cookies, or an answer of a server did.',
  twoCookies:
    'The token store had older tokens again right after this tab had stored new ones: there are two cookies of one name, of two domains, paths or deployments. The platform refused the older ones.',
  blocked: `The browser refused access to its cookies or its storage, as in a frame of another site. ${bug}`,
  server: `The platform refused a refresh token that this tab had not sent before: a server of the app used it and its cookies were lost, or the session was ended elsewhere. ${oneTab}`,
  otherUser:
    'Tokens of another user came into the token store: another tab signed in, or a cache served an answer with the cookies of another user. The platform refused them.',
  unreadable:
    'The token store has a text that is no token: another version of a library wrote it, or its format or secret has changed.',
  signInFailed: `A sign-in failed, and the session before it ended. ${bug}`,
  stolenLock: `A tab hung while it had the lock of the refresh, another tab took the lock, and both sent ${once}.`,
  deleted: 'The platform said that the user does not exist: the account was deleted.',
  revoked:
    'The platform ended the session: it was signed out or revoked elsewhere, the password was reset, or it was too old. The platform does not say which.',
}
