import { readExamples, typeErrors } from '../docs/blocks'

/** Apart from the other tests, since what an app registers holds for its whole program. */
function compile(...lines: string[]): string {
  const [errors] = typeErrors(readExamples('app.md', ['```ts', ...lines, '```', ''].join('\n'))).values()
  return errors ?? 'nothing was compiled'
}

const registered = [
  "import type { ClientMetadata, CurrentUser, PermissionId, ServerMetadata } from 'rxauth'",
  "import { createClientApp, memoryTokens } from 'rxauth'",
  "declare module 'rxauth' {",
  "  interface Register { permissionId: 'read' | 'write'; clientMetadata: { theme: 'dark' | 'light' } }",
  '}',
  'const app = createClientApp({ tokens: memoryTokens() })',
]

describe('what an app registers', () => {
  it('is the type of what it names, and of nothing else', () => {
    const errors = compile(
      ...registered,
      "export const permission: PermissionId = 'read'",
      "export const theme = (user: CurrentUser): 'dark' | 'light' => user.clientMetadata.theme",
      "void app.updateUser({ clientMetadata: { theme: 'dark' } })",
      'export const server = (metadata: ServerMetadata): unknown => metadata',
    )
    expect(errors).toBe('')
  }, 60_000)

  it.each([
    ['a permission', "export const permission: PermissionId = 'delete'"],
    ['metadata of a user', 'export const colour = (user: CurrentUser) => user.clientMetadata.colour'],
    ['metadata that is sent', "void app.updateUser({ clientMetadata: { theme: 'pink' } })"],
    ['metadata by itself', "export const metadata: ClientMetadata = { theme: 'pink' }"],
  ])(
    'refuses anything else as %s',
    (_, line) => {
      expect(compile(...registered, line)).toMatch(/^line 7: /)
    },
    60_000,
  )

  it('is unknown until somebody does', () => {
    const errors = compile(
      "import type { ClientMetadata, PermissionId } from 'rxauth'",
      "export const permission: PermissionId = 'anything'",
      'export const metadata: ClientMetadata = 7',
      'export const theme = (metadata: ClientMetadata) => metadata.theme',
    )
    expect(errors).toMatch(/^line 4: .*unknown/)
  }, 60_000)
})
