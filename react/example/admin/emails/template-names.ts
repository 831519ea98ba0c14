import type { EmailTemplateType } from 'rxauth/admin'

/** The name of each mail, and when it is sent. */
export const templateNames: Readonly<Record<EmailTemplateType, { readonly name: string; readonly when: string }>> = {
  email_verification: { name: 'Verification of an address', when: 'A user signs up or adds an address.' },
  password_reset: { name: 'New password', when: 'A user has forgotten the password.' },
  magic_link: { name: 'Link to sign in', when: 'A user signs in by e-mail.' },
  team_invitation: { name: 'Invitation to a team', when: 'A member invites a person to the team.' },
  sign_in_invitation: { name: 'Invitation to sign in', when: 'An owner invites a person.' },
}

export function isTemplateType(text: string): text is EmailTemplateType {
  return Object.hasOwn(templateNames, text)
}
