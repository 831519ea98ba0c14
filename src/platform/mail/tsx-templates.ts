import type { EmailTemplateType } from '../../entities/email-templates/admin'
import type { TsxTemplateRow } from '../model/emails'
import type { Engine } from '../model/engine'
import { plain } from '../model/refusal'
import { sourceOf } from './tsx-template'

/** The platform's templates, which every project has. The mails of the local platform have words of their own until it changes one. */
const builtIn: readonly TsxTemplateRow[] = (
  [
    [
      'e7d009ce-8d47-4528-b245-5bf119f2ffa3',
      'Email Verification',
      'Verify your e-mail address',
      'Verify your address:',
    ],
    ['a70fb3a4-56c1-4e42-af25-49d25603abd0', 'Password Reset', 'Reset your password', 'Choose a new password:'],
    ['822687fe-8d0a-4467-a0d1-416b6e639478', 'Magic Link/OTP', 'Sign in', 'Open this link to sign in:'],
    ['e84de395-2076-4831-9c19-8e9a96a868e4', 'Team Invitation', 'Join a team', 'You are invited to a team:'],
    ['066dd73c-36da-4fd0-b6d6-ebf87683f8bc', 'Sign In Invitation', 'Sign in', 'You are invited to sign in:'],
    ['70372aee-0441-4d80-974c-2e858e40123a', 'Payment Receipt', 'Your receipt', 'You have paid for'],
    ['f64b1afe-27ec-4a28-a277-7178f3261f9a', 'Payment Failed', 'Your payment failed', 'The payment failed for'],
  ] as const
).map(([id, displayName, subject, text], index) => {
  const name = [
    'emailVerificationLink',
    'passwordResetLink',
    'magicLink',
    'teamInvitationLink',
    'signInInvitationLink',
  ][index]
  const variable = [name ?? 'productName', 'string', 'https://example.com'] as const
  return { id, displayName, tsxSource: sourceOf({ subject, category: 'Transactional', text, variable }) }
})

const places: Readonly<Record<EmailTemplateType, number>> = {
  email_verification: 0,
  password_reset: 1,
  magic_link: 2,
  team_invitation: 3,
  sign_in_invitation: 4,
}

/** The template of a mail that the platform itself sends. */
export function templateOfType(engine: Engine, type: EmailTemplateType): TsxTemplateRow {
  return tsxTemplates(engine)[places[type]] as TsxTemplateRow
}

/** The platform's templates, some with a source of the project, and the project's own after them. */
export function tsxTemplates({ tables: { tsxTemplates } }: Engine): readonly TsxTemplateRow[] {
  const own = tsxTemplates.rows().filter(({ id }) => !builtIn.some(each => each.id === id))
  return [...builtIn.map(template => tsxTemplates.get(template.id) ?? template), ...own]
}

/** The template, or a refusal with this status and text: each call has its own. */
export function requireTemplate(
  engine: Engine,
  id: string,
  status: 400 | 404 = 404,
  text = 'No template found with given id',
): TsxTemplateRow {
  const template = tsxTemplates(engine).find(each => each.id === id)
  if (template) return template
  throw plain(status, text)
}
