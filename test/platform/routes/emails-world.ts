import { grace } from '../world-2026'
import type { Wire } from 'rxauth/platform'
import { ada, wireWorld } from '../wire-world'
import { emailConfig } from '../../mail-server'

export const letter = { subject: 'News', html: '<p>Hello</p>', notification_category_name: 'Marketing' }

export const unknownId = '00000000-0000-4000-8000-000000000000'

const imports = `import { Body, Container, Head, Heading, Hr, Html, Img, Link, Section, Text } from '@react-email/components'
import { NotificationCategory, Subject } from '@stackframe/emails'
import { type } from 'arktype'
`

/** A template that shows this JSX, with what a template needs unless it has a subject; or a theme. */
export const tsx = (jsx: string) => {
  const named = '<Subject value="A subject" /><NotificationCategory value="Transactional" />'
  if (jsx.includes('{children')) return `${imports}export function EmailTheme({ children }) { return ${jsx} }`
  const whole = jsx.includes('<Subject') ? jsx : `<>${named}${jsx}</>`
  return `${imports}export function EmailTemplate({ variables }) { return ${whole} }`
}

/** A project with a mail server of its own, its owner and Grace. */
export function withServer(config: object = { emailConfig }, wire: Wire = '2026') {
  const seed = { project: { config }, users: [ada, grace] }
  const world = wireWorld({ wire, seed })
  const send = (body: object) => world.ask('POST /emails/send-email', { access: 'server', body })
  const asAdmin = (line: string, body?: object) => world.ask(line, { access: 'admin', ...(body && { body }) })
  const mailsTo = (email: string) => world.platform.mailbox(email).messages
  return { ...world, send, asAdmin, mailsTo }
}

/** The id of a draft that cannot be rendered. */
export function brokenDraft(world: ReturnType<typeof withServer>): Promise<string> {
  return made(world, 'POST /internal/email-drafts', { display_name: 'Broken', tsx_source: 'nope(' })
}

/** The id of a thing that is made so. */
export async function made(world: ReturnType<typeof withServer>, line: string, body: object): Promise<string> {
  return ((await world.asAdmin(line, body)).body as { readonly id: string }).id
}
