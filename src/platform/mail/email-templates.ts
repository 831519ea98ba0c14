import type { EmailTemplateType } from '../../entities/email-templates/admin'
import { filledIn, renderEmail, type EmailVariables } from './email-blocks'
import { colorsIn, letterheadOf } from './email-themes'
import type { TsxTemplateRow } from '../model/emails'
import { projectOf, type Engine } from '../model/engine'
import { configOf } from '../model/project-config'
import { sourceOf } from './tsx-template'

/** A template of the platform on the newer release. */
interface BuiltIn {
  readonly id: string
  readonly displayName: string
  /** The subject, and the text before the variable. */
  readonly tsx: readonly [subject: string, text: string]
  readonly variable: string
}

/** A mail that the platform itself sends: its words until the project has changed them, and its template on the newer release. */
interface PlatformMail extends BuiltIn {
  readonly subject: string
  readonly text: string
  readonly button: string
}

const mails: Readonly<Record<EmailTemplateType, PlatformMail>> = {
  email_verification: {
    id: 'e7d009ce-8d47-4528-b245-5bf119f2ffa3',
    displayName: 'Email Verification',
    tsx: ['Verify your e-mail address', 'Verify your address:'],
    variable: 'emailVerificationLink',
    subject: 'Verify your e-mail address at {{ projectDisplayName }}',
    text: 'Confirm that this e-mail address belongs to your account at {{ projectDisplayName }}:',
    button: 'Verify the address',
  },
  password_reset: {
    id: 'a70fb3a4-56c1-4e42-af25-49d25603abd0',
    displayName: 'Password Reset',
    tsx: ['Reset your password', 'Choose a new password:'],
    variable: 'passwordResetLink',
    subject: 'Reset your password at {{ projectDisplayName }}',
    text: 'Choose a new password for your account at {{ projectDisplayName }}. Your old one works until you do.',
    button: 'Choose a password',
  },
  magic_link: {
    id: '822687fe-8d0a-4467-a0d1-416b6e639478',
    displayName: 'Magic Link/OTP',
    tsx: ['Sign in', 'Open this link to sign in:'],
    variable: 'magicLink',
    subject: 'Sign in to {{ projectDisplayName }}: your code is {{ otp }}',
    text: 'Enter this code on the page where you asked for it, or open the link below, to sign in to {{ projectDisplayName }}:',
    button: 'Sign in',
  },
  team_invitation: {
    id: 'e84de395-2076-4831-9c19-8e9a96a868e4',
    displayName: 'Team Invitation',
    tsx: ['Join a team', 'You are invited to a team:'],
    variable: 'teamInvitationLink',
    subject: 'Join {{ teamDisplayName }} at {{ projectDisplayName }}',
    text: 'You are invited to the team {{ teamDisplayName }} at {{ projectDisplayName }}. Open this link to join it:',
    button: 'Join the team',
  },
  sign_in_invitation: {
    id: '066dd73c-36da-4fd0-b6d6-ebf87683f8bc',
    displayName: 'Sign In Invitation',
    tsx: ['Sign in', 'You are invited to sign in:'],
    variable: 'signInInvitationLink',
    subject: 'Sign in to {{ projectDisplayName }}',
    text: 'You are invited to {{ projectDisplayName }}. Open this link to sign in:',
    button: 'Sign in',
  },
}

/** For old apps, which support the link only. */
const magicLinkWithoutCode = {
  ...mails.magic_link,
  subject: 'Sign in to {{ projectDisplayName }}',
  text: 'Open this link to sign in to {{ projectDisplayName }}:',
}

const receipt = { displayName: 'Payment Receipt', tsx: ['Your receipt', 'You have paid for'] } as const
const failure = { displayName: 'Payment Failed', tsx: ['Your payment failed', 'The payment failed for'] } as const

/** The platform's templates in TSX, which every project has, the mails that it sends first. */
export const builtInTemplates: readonly TsxTemplateRow[] = [
  ...Object.values(mails),
  { ...receipt, id: '70372aee-0441-4d80-974c-2e858e40123a', variable: 'productName' },
  { ...failure, id: 'f64b1afe-27ec-4a28-a277-7178f3261f9a', variable: 'productName' },
].map(({ id, displayName, tsx: [subject, text], variable }: BuiltIn) => {
  const preview = [variable, 'string', 'https://example.com'] as const
  return { id, displayName, tsxSource: sourceOf(subject, 'Transactional', text, preview) }
})

/** The id of the template of a mail that the platform itself sends. */
export function templateIdOf(type: EmailTemplateType): string {
  return mails[type].id
}

/** The types of the mails that the platform itself sends, in the hosted platform's order. */
export const emailTypes = Object.keys(mails) as EmailTemplateType[]

/** The words of the platform, for a template that the project has not changed: its subject, and its document. */
export function wordingOf(type: EmailTemplateType): { readonly subject: string; readonly content: object } {
  return documentOf(mails[type], type === 'magic_link')
}

function documentOf({ subject, text, button, variable }: PlatformMail, hasCode = false) {
  const block = (type: string, props: object, style: object = {}) => ({ type, data: { style, props } })
  const blocks = [
    block('Text', { text }),
    ...(hasCode
      ? [block('Container', { childrenIds: ['code'] }, { fontSize: 28, fontWeight: 'bold', textAlign: 'center' })]
      : []),
    block('Button', { text: button, url: `{{ ${variable} }}` }),
  ].map((each, index) => [`block-${index + 1}`, each] as const)
  const content = {
    root: { type: 'EmailLayout', data: { childrenIds: blocks.map(([id]) => id) } },
    ...Object.fromEntries(blocks),
    ...(hasCode && { code: block('Text', { text: '{{ otp }}' }) }),
  }
  return { subject, content }
}

/** The subject and the HTML of a mail in the project's theme. */
export function composeEmail(
  engine: Engine,
  type: EmailTemplateType,
  variables: EmailVariables,
): ReturnType<typeof renderEmail> & { readonly subject: string } {
  const project = projectOf(engine)
  const isWithoutCode = type === 'magic_link' && variables['otp'] === undefined
  const standard = isWithoutCode ? documentOf(magicLinkWithoutCode) : wordingOf(type)
  const { subject, content } = engine.tables.emailTemplates.get(type) ?? standard
  const known = { projectDisplayName: project.displayName, ...variables }
  const theme = configOf(project).emailTheme
  return {
    // A header must be one line.
    subject: filledIn(subject, known).replace(/\s+/g, ' ').trim(),
    ...renderEmail(content, colorsIn(theme, project), known, letterheadOf(project, theme)),
  }
}
