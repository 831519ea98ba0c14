import type { EditableRegions } from './editable-regions'
import { unescapeHtml } from './html-text'
import { drawRoot } from './mail-markup'
import type { DrawnRoot, Undrawn } from './mail-markup'
import { returnedJsx } from './returned-jsx'
import { escapeHtml } from '../http/html'
import { failedBuild, foundIn, thrownBy } from './tsx-faults'
import { undefinedIn } from './tsx-source'

/** Why a template cannot be played, in words for its author. */
export interface Unplayed {
  readonly error: string
}

/** A template's body, with the subject and the category that it names. */
export interface DrawnTemplate {
  readonly html: string
  readonly subject?: string
  readonly notificationCategory?: string
}

/** The usual components of mails, and the elements that they become. */
const ofMails = {
  Container: 'div',
  Section: 'div',
  Row: 'div',
  Column: 'div',
  Heading: 'h1',
  Text: 'p',
  Link: 'a',
  Button: 'a',
  Img: 'img',
  Hr: 'hr',
} as const

const ofTemplates = { ...ofMails, Subject: null, NotificationCategory: null }
const ofThemes = { ...ofMails, Html: 'html', Head: 'head', Body: 'body' }

/**
 * Renders the JSX that a template in TSX returns, with `{variables.name}` replaced by its value. No code is executed: other
 * expressions, conditions, loops and own components are errors.
 */
export function drawTemplate(
  source: string,
  variables: Readonly<Record<string, unknown>>,
  regions?: EditableRegions,
): DrawnTemplate | Unplayed {
  const valueOf = (path: string) => {
    const [, name] = /^variables\.(\w+)$/.exec(path) ?? []
    return name === undefined ? undefined : escapeHtml(shown(Object.hasOwn(variables, name) ? variables[name] : ''))
  }
  const drawn = drawComponent(source, 'template', valueOf, regions)
  if ('error' in drawn) return drawn
  const missing = undefinedIn(source, drawn.used)
  if (missing !== null) return { error: missing }
  const { Subject: subject, NotificationCategory: category } = drawn.kept
  return {
    html: drawn.html,
    ...(subject !== undefined && { subject: unescapeHtml(subject) }),
    ...(category !== undefined && { notificationCategory: unescapeHtml(category) }),
  }
}

/** Renders the JSX of a theme around a mail, which is HTML in the place of `{children}`. */
export function drawTheme(
  source: string,
  children: string,
  regions?: EditableRegions,
): { readonly html: string } | Unplayed {
  const valueOf = (path: string) => (path === 'children' ? children : undefined)
  const drawn = drawComponent(source, 'theme', valueOf, regions)
  if ('error' in drawn) return drawn
  const missing = undefinedIn(source, drawn.used)
  if (missing !== null) return { error: missing }
  return { html: drawn.html.startsWith('<html') ? `<!doctype html>\n${drawn.html}` : drawn.html }
}

const noJsx = { error: 'the local platform plays the JSX that a component returns, and the source returns none' }

function drawComponent(
  source: string,
  file: 'template' | 'theme',
  valueOf: (path: string) => string | undefined,
  regions: EditableRegions | undefined,
): DrawnRoot | Unplayed {
  const root = returnedJsx(source, 0)
  const components = file === 'template' ? ofTemplates : ofThemes
  const drawn: DrawnRoot | Undrawn =
    root < 0 ? noJsx : drawRoot(source, root, { components, valueOf, marks: regions?.marksOf(source, file) })
  const isStopped = root >= 0 && 'error' in drawn
  const end = 'error' in drawn ? source.length : drawn.end
  const found = foundIn(source, [root, end])
  const fault = isStopped ? drawn.fault : found.fault
  if (fault) return { error: failedBuild(source, file, fault) }
  const { thrown } = found
  if (thrown !== undefined) return { error: thrownBy(thrown) }
  if ('error' in drawn) return { error: drawn.error }
  if (returnedJsx(source, end) < 0) return drawn
  return {
    error: 'the local platform plays one component that returns once, and the source returns JSX several times',
  }
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

const startOfHtml = 'export function EmailTemplate() {\n  return <div dangerouslySetInnerHTML={{ __html: '

/** A template that shows this HTML, as the platform writes it for a mail that was sent as HTML. */
export function templateOfHtml(html: string): string {
  return `${startOfHtml}${JSON.stringify(html)} }} />
}
`
}

/** Whether the source is one of `templateOfHtml`, which needs no subject and no category. */
export function isOfHtml(source: string): boolean {
  return source.startsWith(startOfHtml)
}

interface Written {
  readonly subject: string
  readonly category: 'Transactional' | 'Marketing'
  readonly text: string
  /** The variable in the text, with the value of its preview. */
  readonly variable?: readonly [name: string, type: 'string' | 'number', preview: string | number]
}

/** The source of a template, as the platform writes it. */
export function sourceOf({ subject, category, text, variable }: Written): string {
  const [name, type, preview] = variable ?? []
  return `import { type } from 'arktype'
import { Container, Text } from '@react-email/components'
import { NotificationCategory, Props, Subject } from '@stackframe/emails'

export const variablesSchema = type({${name === undefined ? '' : ` ${name}: '${type}' `}})

export function EmailTemplate({ user, project, variables }: Props<typeof variablesSchema.infer>) {
  return (
    <Container>
      <Subject value="${subject}" />
      <NotificationCategory value="${category}" />
      <Text>${text}${name === undefined ? '' : ` {variables.${name}}`}</Text>
    </Container>
  )
}

EmailTemplate.PreviewVariables = {${name === undefined ? '' : ` ${name}: ${JSON.stringify(preview)} `}} satisfies typeof variablesSchema.infer
`
}

/** The content of a new template. */
export const newTemplate = sourceOf({
  ...{ subject: 'A new mail', category: 'Transactional', text: 'Hello! The count is' },
  variable: ['count', 'number', 10],
})

/** The content of a new draft. */
export const newDraft = sourceOf({ subject: 'A new mail', category: 'Marketing', text: 'Hello!' })

/** The content of a new theme, in these colours. */
export function newTheme(
  { backdrop, canvas, text } = { backdrop: '#F5F5F5', canvas: '#FFFFFF', text: '#262626' },
): string {
  return `import { Body, Container, Head, Html } from '@react-email/components'

export function EmailTheme({ children, unsubscribeLink }) {
  return (
    <Html>
      <Head />
      <Body style={{ margin: 0, padding: 32, backgroundColor: '${backdrop}', color: '${text}' }}>
        <Container style={{ maxWidth: 600, margin: '0 auto', padding: 24, backgroundColor: '${canvas}' }}>{children}</Container>
      </Body>
    </Html>
  )
}
`
}
