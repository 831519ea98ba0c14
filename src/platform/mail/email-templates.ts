import type { EmailTemplateType } from '../../entities/email-templates/admin'
import { emailTree } from './email-blocks'
import { renderEmail, filledIn } from './email-rendering'
import type { RenderedEmail, EmailVariables } from './email-rendering'
import { colorsIn, letterheadOf } from './email-themes'
import type { Engine } from '../model/engine'
import { configOf } from '../model/project-config'
import type { ProjectRow } from '../model/projects'

/** Subject and content of a mail, by the project or by the platform. */
export interface Wording {
  readonly subject: string
  readonly content: unknown
}

/** The platform's texts, for templates that the project has not changed. */
export const defaultWordings: Readonly<Record<EmailTemplateType, Wording>> = {
  email_verification: {
    subject: 'Verify your e-mail address at {{ projectDisplayName }}',
    content: documentOf(
      text('Confirm that this e-mail address belongs to your account at {{ projectDisplayName }}:'),
      button('Verify the address', '{{ emailVerificationLink }}'),
    ),
  },
  password_reset: {
    subject: 'Reset your password at {{ projectDisplayName }}',
    content: documentOf(
      text('Choose a new password for your account at {{ projectDisplayName }}. Your old one works until you do.'),
      button('Choose a password', '{{ passwordResetLink }}'),
    ),
  },
  magic_link: {
    subject: 'Sign in to {{ projectDisplayName }}: your code is {{ otp }}',
    content: {
      ...documentOf(
        text(
          'Enter this code on the page where you asked for it, or open the link below, to sign in to {{ projectDisplayName }}:',
        ),
        {
          type: 'Container',
          data: {
            style: { fontSize: 28, fontWeight: 'bold', textAlign: 'center' },
            props: { childrenIds: ['code'] },
          },
        },
        button('Sign in', '{{ magicLink }}'),
      ),
      code: text('{{ otp }}'),
    },
  },
  team_invitation: {
    subject: 'Join {{ teamDisplayName }} at {{ projectDisplayName }}',
    content: documentOf(
      text('You are invited to the team {{ teamDisplayName }} at {{ projectDisplayName }}. Open this link to join it:'),
      button('Join the team', '{{ teamInvitationLink }}'),
    ),
  },
  sign_in_invitation: {
    subject: 'Sign in to {{ projectDisplayName }}',
    content: documentOf(
      text('You are invited to {{ projectDisplayName }}. Open this link to sign in:'),
      button('Sign in', '{{ signInInvitationLink }}'),
    ),
  },
}

/** For old apps, which support the link only. */
const magicLinkWithoutCode: Wording = {
  subject: 'Sign in to {{ projectDisplayName }}',
  content: documentOf(
    text('Open this link to sign in to {{ projectDisplayName }}:'),
    button('Sign in', '{{ magicLink }}'),
  ),
}

/** The subject and the HTML of a mail in the project's theme. */
export function composeEmail(
  { tables }: Engine,
  project: ProjectRow,
  type: EmailTemplateType,
  variables: EmailVariables,
): RenderedEmail & { readonly subject: string } {
  const standard =
    type === 'magic_link' && variables['otp'] === undefined ? magicLinkWithoutCode : defaultWordings[type]
  const { subject, content } = tables.emailTemplates.get(type) ?? standard
  const known = { projectDisplayName: project.displayName, ...variables }
  const theme = configOf(project).emailTheme
  return {
    // A header must be one line.
    subject: filledIn(subject, known).replace(/\s+/g, ' ').trim(),
    ...renderEmail(emailTree(content), colorsIn(theme, project), known, letterheadOf(project, theme)),
  }
}

function documentOf(...blocks: readonly object[]) {
  const named = blocks.map((block, index) => [`block-${index + 1}`, block] as const)
  return {
    root: { type: 'EmailLayout', data: { childrenIds: named.map(([id]) => id) } },
    ...Object.fromEntries(named),
  }
}

function text(content: string) {
  return { type: 'Text', data: { style: {}, props: { text: content } } }
}

function button(label: string, url: string) {
  return { type: 'Button', data: { style: {}, props: { text: label, url } } }
}
