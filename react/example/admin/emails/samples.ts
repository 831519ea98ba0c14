import type { EmailTemplateType } from 'rxauth/admin'

/** What stands in the place of each variable while nothing has been sent. */
export type Samples = Readonly<Record<string, string>>

const link = 'https://example.com/handler/…'

const own: Readonly<Record<EmailTemplateType, Samples>> = {
  email_verification: { emailVerificationLink: link },
  password_reset: { passwordResetLink: link },
  magic_link: { magicLink: link, otp: 'A1B2C3' },
  team_invitation: { teamInvitationLink: link, teamDisplayName: 'Analytical Engines' },
  sign_in_invitation: { signInInvitationLink: link },
}

export function samplesFor(type: EmailTemplateType, projectDisplayName: string): Samples {
  return { projectDisplayName, userDisplayName: 'Ada Lovelace', ...own[type] }
}

/** The text with each variable's sample in its place; what is no variable stays as it is. */
export function filled(text: string, samples: Samples): string {
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) =>
    Object.hasOwn(samples, name) ? (samples[name] ?? whole) : whole,
  )
}
