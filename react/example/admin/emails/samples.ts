import type { EmailTemplateType } from 'rxauth/admin'

/** A sample value for each variable, while no mail has been sent. */
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

/** Replaces each variable by its sample; other text stays. */
export function filled(text: string, samples: Samples): string {
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) =>
    Object.hasOwn(samples, name) ? (samples[name] ?? whole) : whole,
  )
}
