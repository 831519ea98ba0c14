import { createAdminApp, renderTsxEmail } from 'rxauth/admin'
import { createPlatform } from 'rxauth/platform'
import ts from 'typescript'
import { guides, readExamples } from './blocks'
import { documentedNames } from './reference-examples'

/** The literals of the code that are the source of a template, a draft or a theme. */
function sourcesIn(code: string): string[] {
  const found: string[] = []
  const look = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && /=>|\breturn\b/.test(node.text) && node.text.includes('<'))
      found.push(node.text)
    ts.forEachChild(node, look)
  }
  look(ts.createSourceFile('example.tsx', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX))
  return found
}

const examples = [
  ...guides().flatMap(page => readExamples(page)),
  ...documentedNames().map(({ name, example }) => ({ name, code: example })),
]
const sources = examples.flatMap(({ name, code }) => sourcesIn(code).map(source => [name, source] as const))
const template = `import { NotificationCategory, Subject } from '@stackframe/emails'

export const EmailTemplate = () => <p><Subject value="A" /><NotificationCategory value="Marketing" />B</p>`

describe.each(['2.8.86', '2026'] as const)('on release %s', wire => {
  const admin = createAdminApp(createPlatform({ wire }).adminOptions)

  it.each(sources)('the mail in the example of %s is rendered', async (_, source) => {
    const isTheme = source.includes('EmailTheme')
    const given = isTheme ? { templateTsxSource: template, themeTsxSource: source } : { templateTsxSource: source }
    expect(await renderTsxEmail(admin, given)).toMatchObject({ ok: true })
  })

  it('there are some, and one without its imports or its subject would be refused', async () => {
    expect(sources.length).toBeGreaterThan(3)
    for (const [, source] of sources.filter(([, each]) => each.includes('<Subject')))
      for (const part of [/import \{[^}]*\} from '@stackframe\/emails'/, /<Subject [^/]*\/>/])
        expect(await renderTsxEmail(admin, { templateTsxSource: source.replace(part, '') })).toMatchObject({
          ok: false,
        })
  })
})
