// Writes the API reference from the docstrings and declarations: `npm run api-docs`, or `node test/docs/reference.mjs <folder>`.
import swc from '@swc/core'
import { createJiti } from 'jiti'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Application } from 'typedoc'
import { byTopic } from './reference-topics.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = resolve(process.argv[2])

/** The page of each entry, by the name that an app imports. */
const pages = [
  { entry: 'rxauth', source: 'src/index.ts', about: 'The client kit.' },
  { entry: 'rxauth/react', source: 'react/index.ts', about: 'The stores of the kit as React hooks.' },
  { entry: 'rxauth/next', source: 'react/next/index.ts', about: 'Users, guards, proxy and provider for Next.js.' },
  { entry: 'rxauth/angular', source: 'src/angular.ts', about: 'Providers, guards and an interceptor for Angular.' },
  { entry: 'rxauth/server', source: 'src/server.ts', about: 'For a backend, with its secret key.' },
  { entry: 'rxauth/admin', source: 'src/admin.ts', about: 'Administers a project.' },
  { entry: 'rxauth/platform', source: 'src/platform.ts', about: 'The local platform, for development and tests.' },
  {
    entry: 'rxauth/platform/node',
    source: 'src/platform-node.ts',
    about: 'The local platform over HTTP, and on a file.',
  },
  {
    entry: 'rxauth/playwright',
    source: 'src/testing/playwright.ts',
    about: 'Fixtures of Playwright: a platform per test.',
  },
]

const app = await Application.bootstrapWithPlugins({
  plugin: ['typedoc-plugin-markdown'],
  entryPoints: pages.map(({ source }) => join(root, source)),
  basePath: root,
  tsconfig: join(root, 'test/docs/reference.tsconfig.json'),
  outputs: [{ name: 'markdown', path: folder }],
  logLevel: 'Error',
  // The type check is a step of its own.
  skipErrorChecking: true,
  readme: 'none',
  excludeExternals: true,
  hideGenerator: true,
  hidePageHeader: true,
  hideBreadcrumbs: true,
  router: 'module',
  sort: ['alphabetical'],
  useCodeBlocks: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  propertyMembersFormat: 'table',
  tableColumnSettings: {
    hideDefaults: true,
    hideInherited: true,
    hideModifiers: true,
    hideOverrides: true,
    hideSources: true,
  },
})

const project = await app.convert()
for (const { entry, source } of pages) {
  const module = project.children.find(({ name }) => name === source.replace(/(\/index)?\.ts$/, ''))
  module.name = entry
}
/** Where each name of an entry is declared. */
const files = new Map(
  project.children.flatMap(module =>
    (module.children ?? []).map(({ name, sources }) => [
      `${module.name} ${name}`,
      relative(root, sources?.[0]?.fullFileName ?? root),
    ]),
  ),
)
// Pages that name lines would change with every commit.
for (const reflection of Object.values(project.reflections)) delete reflection.sources
rmSync(folder, { recursive: true, force: true })
await app.generateOutputs(project)
if (app.logger.hasErrors()) process.exit(1)

// The plugin numbers headings of the same name differently from GitHub. A link to a missing heading means the type
// of that name, which stands before the function.
const entryPages = new Map(pages.map(({ entry }) => [`${entry}.md`, readFileSync(join(folder, `${entry}.md`), 'utf8')]))
for (const [path, text] of entryPages)
  entryPages.set(
    path,
    text.replace(/\]\(([^()#]*)#([\w$]+)-\d+\)/g, (link, to, name) => {
      const aim = to === '' ? text : entryPages.get(normalize(join(dirname(path), to)))
      const same = aim.match(new RegExp(`^#+ (?:\\w+ )*${name}\\b\\W*$`, 'gim'))?.length ?? 0
      return Number(/-(\d+)\)$/.exec(link)[1]) < same ? link : `](${to}#${name})`
    }),
  )

const { pages: topicPages, index } = byTopic(entryPages, (entry, name) => files.get(`${entry} ${name}`))
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const [path, text] of topicPages) writeFileSync(join(folder, path), text)

const scope = readFileSync(join(root, 'test/docs/reference-scope.ts'), 'utf8').match(/^declare global {\n([^]*)^}/m)[1]
writeFileSync(
  join(folder, 'README.md'),
  `# API reference

Every name that the package exports, made from the docstrings; functions and stores with an example. [Endpoints](endpoints.md) lists
every request that the kit can make.

| Import from | What it is |
| --- | --- |
${pages.map(({ entry, about }) => `| \`${entry}\` | ${about} |`).join('\n')}

A definition, such as \`teams$\` or \`createTeam\`, is a free function of a kit, \`teams$(kit)\`, and a method of an app,
\`app.teams$\`. The examples import what they name from the entry that has it, and take for granted:

\`\`\`ts
${scope
  .replace(/^ {2}(?:const|function)/gm, 'declare$&')
  .replace('declare  const', 'declare const')
  .replace(/^ {2}/gm, '')
  .replace(/declare {2}/g, 'declare ')
  .trimEnd()}
\`\`\`

${index.join('\n')}`,
)

// With Babel, which jiti has, the sources take a third of the time of this program.
const sources = createJiti(import.meta.url, {
  transform: ({ source, filename }) => {
    const parser = { syntax: 'typescript', tsx: filename.endsWith('x') }
    return swc.transformSync(source, { filename, jsc: { target: 'es2022', parser }, module: { type: 'commonjs' } })
  },
})
const { declaredEndpoints } = await sources.import('../declared-endpoints.ts')
const { endpointsPage } = await sources.import('./reference-endpoints.ts')
writeFileSync(join(folder, 'endpoints.md'), endpointsPage(declaredEndpoints(sources)))
