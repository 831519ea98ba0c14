import { unescapeHtml } from './html-text'
import { drawRoot } from './mail-markup'
import type { DrawnRoot } from './mail-markup'
import { returnedJsx } from './returned-jsx'
import { escapeHtml } from '../http/html'

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
export function drawTemplate(source: string, variables: Readonly<Record<string, unknown>>): DrawnTemplate | Unplayed {
  const drawn = drawComponent(source, ofTemplates, path => {
    const [, name] = /^variables\.(\w+)$/.exec(path) ?? []
    return name === undefined ? undefined : escapeHtml(shown(Object.hasOwn(variables, name) ? variables[name] : ''))
  })
  if ('error' in drawn) return drawn
  const { Subject: subject, NotificationCategory: category } = drawn.kept
  return {
    html: drawn.html,
    ...(subject !== undefined && { subject: unescapeHtml(subject) }),
    ...(category !== undefined && { notificationCategory: unescapeHtml(category) }),
  }
}

/** Renders the JSX of a theme around a mail, which is HTML in the place of `{children}`. */
export function drawTheme(source: string, children: string): { readonly html: string } | Unplayed {
  const drawn = drawComponent(source, ofThemes, path => (path === 'children' ? children : undefined))
  if ('error' in drawn) return drawn
  return { html: drawn.html.startsWith('<html') ? `<!doctype html>\n${drawn.html}` : drawn.html }
}

function drawComponent(
  source: string,
  components: Readonly<Record<string, string | null>>,
  valueOf: (path: string) => string | undefined,
): DrawnRoot | Unplayed {
  const root = returnedJsx(source, 0)
  if (root < 0)
    return { error: 'the local platform plays the JSX that a component returns, and the source returns none' }
  const drawn = drawRoot(source, root, { components, valueOf })
  if ('error' in drawn || returnedJsx(source, drawn.end) < 0) return drawn
  return {
    error: 'the local platform plays one component that returns once, and the source returns JSX several times',
  }
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** A template that shows this HTML, as the platform writes it for a mail that was sent as HTML. */
export function templateOfHtml(html: string): string {
  return `export function EmailTemplate() {
  return <div dangerouslySetInnerHTML={{ __html: ${JSON.stringify(html)} }} />
}
`
}

/** The content of a new template or draft. */
export const newTemplate = `export function EmailTemplate({ variables }) {
  return (
    <Container>
      <Subject value="A new mail" />
      <NotificationCategory value="Transactional" />
      <Text>Hello!</Text>
    </Container>
  )
}
`

/** The content of a new theme, in these colours. */
export function newTheme(
  { backdrop, canvas, text } = { backdrop: '#F5F5F5', canvas: '#FFFFFF', text: '#262626' },
): string {
  return `export function EmailTheme({ children }) {
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
