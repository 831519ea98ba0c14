import type { Program } from 'estree-jsx'
import { presentIn } from '../../core/values'
import type { DrawnTemplate, MailProgram, RunMail, Undrawn } from '../model/emails'
import { themeColors, type EmailColors } from './email-themes'
import { componentOf, placeIn, type EditableRegions } from './tsx-elements'
import { propertyOf, bare, isValues, JsxElement, Thrown, Unplayable, valuesOf, type Values } from './tsx-built-in'
import { drawnHtml } from './tsx-html'
import { interpreterOf } from './tsx-interpreter'
import { SourceFault, tsxParser, type PlacedNode } from './tsx-parser'

/**
 * Renders the component `EmailTemplate` of a source in TSX with these properties, as of a `MailProgram`. An interpreter plays its tree,
 * unless `run` is given.
 */
export function drawTemplate(
  source: string,
  props: object,
  regions?: EditableRegions,
  run?: RunMail,
): Promise<DrawnTemplate | Undrawn> {
  return draw({ file: 'template', source, props }, regions, run)
}

/** Stands for the mail while its theme is drawn. */
const mailElement = 'rxauth-mail'

/** Renders the component `EmailTheme` of a source; `around` gives the page around a mail, which is its `children`. */
export async function drawTheme(
  source: string,
  regions?: EditableRegions,
  run?: RunMail,
): Promise<{ readonly around: (mail: string) => string } | Undrawn> {
  const page = await draw({ file: 'theme', source, props: { children: mailElement } }, regions, run)
  if ('error' in page) return page
  const html = page.html.startsWith('<html') ? `<!doctype html>\n${page.html}` : page.html
  return { around: mail => html.replaceAll(`<${mailElement}></${mailElement}>`, () => mail) }
}

type TemplateProgram = Omit<MailProgram, 'imports'>

/** Has the source run as code, or plays it, if it can be built. */
async function draw(
  program: TemplateProgram,
  regions: EditableRegions | undefined,
  run: RunMail | undefined,
): Promise<DrawnTemplate | Undrawn> {
  const parse = await tsxParser()
  try {
    const tree = parse(program.source)
    return run ? await run({ ...program, imports: importsOf(tree) }) : played(program, tree, regions)
  } catch (error) {
    return { error: complaintOf(error, program) }
  }
}

function importsOf({ body }: Program): Readonly<Record<string, readonly string[]>> {
  const imports: Record<string, string[]> = {}
  for (const node of body) {
    if (node.type !== 'ImportDeclaration') continue
    const names = node.specifiers.map(each => {
      if (each.type !== 'ImportSpecifier') return '*'
      return each.imported.type === 'Identifier' ? each.imported.name : String(each.imported.value)
    })
    ;(imports[String(node.source.value)] ??= []).push(...names)
  }
  return imports
}

function played({ file, source, props }: TemplateProgram, { body }: Program, regions?: EditableRegions): DrawnTemplate {
  const interpreter = interpreterOf(source, regions?.marksOf(source, file))
  const module = interpreter.module(body)
  const name = componentOf[file]
  const component = Object.hasOwn(module, name) ? module[name] : undefined
  if (typeof component !== 'function') throw new Unplayable(`the source exports no function ${name}`)
  const given = valuesOf(props) as Values
  if (file === 'theme') given['children'] = new JsxElement(given['children'], bare({}))
  else {
    given['variables'] ??= interpreter.previews.get(component) ?? bare({})
    const { fields } = isValues(module['variablesSchema']) ? module['variablesSchema'] : {}
    const demanded = isValues(fields) ? Object.keys(fields).filter(field => !field.endsWith('?')) : []
    const missing = demanded.find(field => propertyOf(given['variables'], field) === undefined)
    if (missing !== undefined) throw new Unplayable(`variables.${missing} has no value`)
  }
  const { html, kept } = drawnHtml(interpreter.call(component, [given], name), interpreter, true)
  const { Subject: subject, NotificationCategory: notificationCategory } = kept
  return { html, ...presentIn({ subject, notificationCategory }) }
}

/** The reason in the form of the platform: it builds each source under a name of its own, and gives an error of it as JSON. */
function complaintOf(error: unknown, { source, file }: TemplateProgram): string {
  if (error instanceof Unplayable) return error.message
  // Variables of a request may be nested deeper than any function can follow.
  if (error instanceof RangeError) return 'the local platform stops a template that is nested too deep'
  if (error instanceof Thrown) {
    const { message, name } = error
    return JSON.stringify({ message, stack: `${name}: ${message}` })
  }
  if (!(error instanceof SourceFault)) throw error
  const { line, column } = placeIn(source, error.at)
  return `Build failed with 1 error:\nvirtual:/${file}.tsx:${line}:${column}: ERROR: ${error.message}`
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

/** The source of a template, as the platform writes it, with one variable in the text. */
export function sourceOf(
  subject: string,
  category: 'Transactional' | 'Marketing',
  text: string,
  [name, type, preview]: readonly [name?: string, type?: string, preview?: string | number] = [],
): string {
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
export const newTemplate = sourceOf('A new mail', 'Transactional', 'Hello! The count is', ['count', 'number', 10])

/** The content of a new draft. */
export const newDraft = sourceOf('A new mail', 'Marketing', 'Hello!')

type ThemeColors = Pick<EmailColors, 'backdrop' | 'canvas' | 'text'>

/** The content of a new theme, in these colours. */
export function newTheme({ backdrop, canvas, text }: ThemeColors = themeColors['default-light']): string {
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

/** Renders a mail's HTML like the hosted platform, which puts it as JSX into a theme. */
export async function drawMarkup(html: string): Promise<{ readonly html: string } | Undrawn> {
  const parse = await tsxParser()
  const source = `<>${html}</>`
  try {
    const [statement] = parse(source).body
    const root = statement?.type === 'ExpressionStatement' ? statement.expression : undefined
    // The HTML may end the fragment, and begin another one.
    if (root?.type !== 'JSXFragment' || (root as unknown as PlacedNode).end < source.length)
      return { error: '</> closes nothing' }
    const interpreter = interpreterOf(source)
    const { html: drawn } = drawnHtml(interpreter.evaluate(root, interpreter.module([])), interpreter, false)
    return { html: drawn }
  } catch (error) {
    if (!(error instanceof SourceFault || error instanceof Thrown || error instanceof Unplayable)) throw error
    const place =
      error instanceof SourceFault && error.at < html.length
        ? ` at ${JSON.stringify(html.slice(error.at - 2, error.at + 20))}`
        : ''
    return { error: error.message + place }
  }
}
