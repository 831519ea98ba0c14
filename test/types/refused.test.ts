import { join } from 'node:path'
import ts from 'typescript'
import { readExamples, root, typeErrors } from '../docs/blocks'

/**
 * The compiler's messages about each block. The blocks are one program, since any program takes seconds: a registration in one
 * of them applies to all.
 */
function compile(...blocks: readonly (readonly string[])[]): string[] {
  const texts = blocks.map(lines => ['```ts', ...lines, '```', ''].join('\n'))
  return [...typeErrors(readExamples('app.md', texts.join(''))).values()]
}

const registered = [
  "import type { ClientMetadata, CurrentUser, PermissionId, ServerMetadata } from 'rxauth'",
  "import { createClientApp, memoryTokens } from 'rxauth'",
  "declare module 'rxauth' {",
  "  interface Register { permissionId: 'read' | 'write'; clientMetadata: { theme: 'dark' | 'light' } }",
  '}',
  'const app = createClientApp({ tokens: memoryTokens() })',
]

const refused = [
  ['a permission', "export const permission: PermissionId = 'delete'"],
  ['metadata of a user', 'export const colour = (user: CurrentUser) => user.clientMetadata.colour'],
  ['metadata that is sent', "void app.updateUser({ clientMetadata: { theme: 'pink' } })"],
  ['metadata by itself', "export const metadata: ClientMetadata = { theme: 'pink' }"],
] as const

describe('a registered type', () => {
  let said: readonly string[] = []
  beforeAll(() => {
    const right = [
      "export const permission: PermissionId = 'read'",
      "export const theme = (user: CurrentUser): 'dark' | 'light' => user.clientMetadata.theme",
      "void app.updateUser({ clientMetadata: { theme: 'dark' } })",
      'export const server = (metadata: ServerMetadata): unknown => metadata',
    ]
    said = compile([...registered, ...right], ...refused.map(([, line]) => [...registered, line]))
  })

  it('types what it names, and nothing else', () => {
    expect(said[0]).toBe('')
  })

  it.each(refused.map(([what], index) => [what, index + 1] as const))('refuses anything else as %s', (_, index) => {
    expect(said[index]).toMatch(/^line 7: [^\n]*$/)
  })

  it('is unknown by default', () => {
    const [unregistered] = compile([
      "import type { ClientMetadata, PermissionId } from 'rxauth'",
      "export const permission: PermissionId = 'anything'",
      'export const metadata: ClientMetadata = 7',
      'export const theme = (metadata: ClientMetadata) => metadata.theme',
    ])
    expect(unregistered).toMatch(/^line 4: [^\n]*unknown[^\n]*$/)
  })
})

const leftOut = [
  {
    lacks: 'signedOut',
    line: "query(async (_, { id }: { id: string }) => [id], { key: 'notes', ownedBy: 'session' })",
  },
  { lacks: 'key', line: "query(async (_, { id }: { id: string }) => [id], { ownedBy: 'app' })" },
  { lacks: 'refreshes', line: 'mutation(async (_, { id }: { id: string }) => id, {})' },
  { lacks: 'refreshes', line: 'mutation(async (_, { id }: { id: string }) => id, { optimistic: () => [] })' },
]

/** The messages of TypeScript 6 about each definition: 7 tells of the last overload only, which takes no function. */
function messagesAboutDefinitions(): readonly string[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.sources.json'), path => ts.sys.readFile(path))
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const path = join(root, 'test/types/left-out.ts')
  const lines = [
    "import { mutation, query } from 'rxauth'",
    ...leftOut.map(({ line }, at) => `export const a${at} = ${line}`),
  ]
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (name, ...rest) =>
    name === path
      ? ts.createSourceFile(path, lines.join('\n'), ts.ScriptTarget.ES2022)
      : getSourceFile.call(host, name, ...rest)
  const program = ts.createProgram([path], options, host)
  const found = program.getSemanticDiagnostics(program.getSourceFile(path)).map(({ file, start = 0, messageText }) => ({
    line: file!.getLineAndCharacterOfPosition(start).line,
    text: ts.flattenDiagnosticMessageText(messageText, '\n'),
  }))
  return leftOut.map((_, at) =>
    found
      .filter(({ line }) => line === at + 1)
      .map(({ text }) => text)
      .join('\n'),
  )
}

describe('a definition over an own backend', () => {
  let said: readonly string[] = []
  beforeAll(() => {
    said = messagesAboutDefinitions()
  })

  it.each(leftOut.map((each, index) => ({ ...each, index })))('without $lacks: $line', ({ lacks, index }) => {
    const names = [...said[index]!.matchAll(/Property '(\w+)' is missing/g)].map(([, name]) => name)
    expect(names).toEqual([lacks])
    // Nothing about the function, which is right.
    expect(said[index]).not.toContain('implicitly')
  })
})
