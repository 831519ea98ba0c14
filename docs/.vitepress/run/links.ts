import * as rxauth from 'rxauth'
import type { ClientApp, Result } from 'rxauth'

const newPassword = 'correct horse battery staple'

type Call = (app: ClientApp, input: { readonly code: string }) => Promise<Result<unknown, { readonly code: string }>>

/** What the page of a link does with its code, by the check that knows the code. */
const pages: readonly (readonly [check: Call, use: Call, text: string])[] = [
  [rxauth.checkMagicLinkCode, rxauth.signInWithMagicLink, 'signed in'],
  [rxauth.checkEmailVerificationCode, rxauth.verifyEmail, 'the address is verified'],
  [
    rxauth.checkPasswordResetCode,
    (app, { code }) => rxauth.resetPassword(app, { code, password: newPassword }),
    `the password is "${newPassword}" now`,
  ],
  [rxauth.checkTeamInvitationCode, rxauth.acceptTeamInvitation, 'the invitation is accepted'],
]

/** Does what the page of a mail's link does, in the app of the program; resolves to what has happened. */
export async function openLink(app: ClientApp | undefined, link: string): Promise<string> {
  const { pathname, searchParams } = new URL(link)
  const code = searchParams.get('code')
  if (code === null) return `${link} leads to no page of an app.`
  if (!app) return 'This program has no client app that could open the link.'
  try {
    for (const [check, use, text] of pages) {
      const checked = await check(app, { code })
      if (checked.ok) {
        const used = await use(app, { code })
        return `Opened ${pathname}: ${used.ok ? text : used.error.code}.`
      }
      // A code of another page is unknown to this check.
      if (checked.error.code !== 'VERIFICATION_CODE_NOT_FOUND') return `Opened ${pathname}: ${checked.error.code}.`
    }
    return `Opened ${pathname}: VERIFICATION_CODE_NOT_FOUND.`
  } catch (error) {
    return `Opened ${pathname}: ${rxauth.isAuthError(error) ? error.code : String(error)}.`
  }
}
