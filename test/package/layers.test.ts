import { readSources } from './sources'
import { importViolations } from './layers'

const violationsOf = (sources: Record<string, string>): string[] => importViolations(new Map(Object.entries(sources)))

describe('the sources', () => {
  // Promise: layers
  it('import downward only, without cycles', () => {
    const sources = readSources('src', 'react')
    expect(sources.size).toBeGreaterThan(0)
    expect(importViolations(sources)).toEqual([])
  })
})

describe('importViolations', () => {
  it.each([
    ['a lower room', 'src/store/cell.ts', 'src/core/clock.ts'],
    ['its own room', 'src/entities/teams/client.ts', 'src/entities/users/client.ts'],
    ['a method from the kit', 'src/kit/create-kit.ts', 'src/sign-in/password/password.ts'],
    ['the kit from an entry', 'src/index.ts', 'src/kit/client-app.ts'],
    ['an extra from an entry', 'src/server.ts', 'src/extras/confirm/server.ts'],
    [
      'what needs a secret key from the extra for servers',
      'src/extras/confirm/server.ts',
      'src/entities/users/server.ts',
    ],
    ['a shape of another entity', 'src/entities/teams/client.ts', 'src/entities/users/shape.ts'],
    ['what methods share from a method', 'src/sign-in/password/password.ts', 'src/sign-in/first-factor.ts'],
    ['the definitions of clients from a method', 'src/sign-in/totp.ts', 'src/entities/users/client.ts'],
    ['codes from the definitions of clients', 'src/entities/teams/client.ts', 'src/entities/mailed-code.ts'],
    ['declarations from the platform', 'src/platform/routes/users.ts', 'src/sign-in/password/password.ts'],
    ['the endpoint from the platform', 'src/platform/http/router.ts', 'src/transport/endpoint.ts'],
    ['a lower room of the platform', 'src/platform/routes/users.ts', 'src/platform/model/tables.ts'],
    ['the platform from its entry', 'src/platform.ts', 'src/platform/http/router.ts'],
    ['Node parts from the Node entry', 'src/platform-node.ts', 'src/platform/node/listen.ts'],
    ['the entries of the platform from the command line', 'src/cli/develop.ts', 'src/platform-node.ts'],
    ['the list of its parts from the command line', 'src/cli/commands.ts', 'src/platform-inside.ts'],
    ['the command line from its program', 'src/platform-bin.ts', 'src/cli/run.ts'],
    ['a recording that is played from the command line', 'src/cli/replay/command.ts', 'src/replay/why.ts'],
    ['another file of the React entry', 'react/index.ts', 'react/provider.tsx'],
    ['the inside of the kit from the React entry', 'react/use-store.ts', 'src/inside.ts'],
    ['the version from what test runners load', 'src/testing/jest-transform.ts', 'src/core/version.ts'],
  ])('lets a file import %s', (_what, from, to) => {
    expect(violationsOf({ [from]: `import { x } from '${relative(from, to)}'`, [to]: '' })).toEqual([])
  })

  it.each([
    ['a higher room', 'src/core/wire.ts', 'src/errors/codes.ts'],
    ['a method from a definition', 'src/entities/teams/client.ts', 'src/sign-in/password/password.ts'],
    ['one method from another', 'src/sign-in/password/password.ts', 'src/sign-in/passkey/passkey.ts'],
    ['a method from what methods share', 'src/sign-in/first-factor.ts', 'src/sign-in/passkey/passkey.ts'],
    ['what needs a secret key from a method', 'src/sign-in/totp.ts', 'src/entities/users/server.ts'],
    ['what needs an admin key from auth', 'src/sign-in/first-factor.ts', 'src/entities/projects/admin.ts'],
    ['what needs a secret key from client code', 'src/entities/teams/client.ts', 'src/entities/users/server.ts'],
    [
      'what needs a secret key from client writes',
      'src/entities/teams/client-writes.ts',
      'src/entities/server-touched.ts',
    ],
    ['what needs an admin key from server code', 'src/entities/emails/server.ts', 'src/entities/emails/admin.ts'],
    ['client code from a shape', 'src/entities/teams/shape.ts', 'src/entities/teams/client.ts'],
    ['an entity from what entities share', 'src/entities/rows.ts', 'src/entities/users/client.ts'],
    ['the user and session from a shape', 'src/entities/users/shape.ts', 'src/entities/users/auth.ts'],
    ['an extra from the kit', 'src/kit/client-app.ts', 'src/extras/decide.ts'],
    ['an extra from a method', 'src/sign-in/passkey/passkey.ts', 'src/extras/sign-in-methods.ts'],
    ['an extra from an entity', 'src/entities/users/client.ts', 'src/extras/until.ts'],
    ['what needs a secret key from an extra', 'src/extras/confirm/attempts.ts', 'src/entities/users/server.ts'],
    ['what is verified on servers from an extra', 'src/extras/live/connection.ts', 'src/verify/verify-webhook.ts'],
    ['a method from requests to the own server', 'src/backend/bearer.ts', 'src/sign-in/tokens.ts'],
    ['the kit from the platform', 'src/platform/routes/users.ts', 'src/kit/client-app.ts'],
    ['an extra from the platform', 'src/platform/routes/users.ts', 'src/extras/decide.ts'],
    ['navigation from the session beside it', 'src/session/session.ts', 'src/navigation/urls.ts'],
    ['the session from navigation beside it', 'src/navigation/urls.ts', 'src/session/session.ts'],
    ['the kit from a room', 'src/store/cell.ts', 'src/kit/create-kit.ts'],
    ['an entry from a room', 'src/kit/client-app.ts', 'src/index.ts'],
    ['the platform from a method', 'src/sign-in/passkey/passkey.ts', 'src/platform/http/router.ts'],
    ['the platform from an entry of apps', 'src/index.ts', 'src/platform/http/router.ts'],
    ["the platform's entry from an entry of apps", 'src/index.ts', 'src/platform.ts'],
    ['the store from the platform', 'src/platform/http/router.ts', 'src/store/cell.ts'],
    ['the rest of transport from the platform', 'src/platform/http/router.ts', 'src/transport/call.ts'],
    ['a higher room of the platform', 'src/platform/model/tables.ts', 'src/platform/routes/users.ts'],
    ['Node parts from the platform', 'src/platform/http/router.ts', 'src/platform/node/listen.ts'],
    ['Node parts from the web-standard entry', 'src/platform.ts', 'src/platform/node/listen.ts'],
    ['the platform past its entries from the command line', 'src/cli/develop.ts', 'src/platform/node/listen.ts'],
    ['the kit from the command line', 'src/cli/develop.ts', 'src/kit/create-kit.ts'],
    ['the command line from the platform', 'src/platform/node/listen.ts', 'src/cli/terminal.ts'],
    ['the command line from an entry', 'src/platform-node.ts', 'src/cli/terminal.ts'],
    ["the platform's entry from the platform", 'src/platform/node/listen.ts', 'src/platform-inside.ts'],
    ['the platform from the program', 'src/platform-bin.ts', 'src/platform/node/listen.ts'],
    ['the platform from what plays recordings', 'src/replay/played.ts', 'src/platform/test-tools/virtual-clock.ts'],
    ['what plays recordings from the platform', 'src/platform/node/listen.ts', 'src/replay/played.ts'],
    ['the insides from the React entry', 'react/use-store.ts', 'src/store/store.ts'],
    ['the React entry from the sources', 'src/kit/client-app.ts', 'react/index.ts'],
    ['the insides from what test runners load', 'src/testing/playwright.ts', 'src/store/store.ts'],
  ])('reports %s', (_what, from, to) => {
    const violation = [`${from} may not import ${to}`]
    const path = relative(from, to)
    expect(violationsOf({ [from]: `import { x } from '${path}'`, [to]: '' })).toEqual(violation)
    expect(violationsOf({ [from]: `import type { X } from '${path}'`, [to]: '' })).toEqual(violation)
    expect(violationsOf({ [from]: `export * from '${path}'`, [to]: '' })).toEqual(violation)
    expect(violationsOf({ [from]: `type X = import('${path}').X`, [to]: '' })).toEqual(violation)
    expect(violationsOf({ [from]: `const load = () => import('${path}')`, [to]: '' })).toEqual(violation)
  })

  it.each([
    ['the package itself', 'src/sign-in/password/password.ts', 'rxauth'],
    ['React in a source', 'src/store/store.ts', 'react'],
    ['a Node module outside the Node parts', 'src/core/wire.ts', 'node:crypto'],
    ['a Node module in the web-standard platform', 'src/platform/http/router.ts', 'node:crypto'],
  ])('reports %s', (_what, from, specifier) => {
    expect(violationsOf({ [from]: `import '${specifier}'` })).toEqual([`${from} may not import ${specifier}`])
  })

  it.each(['src/helpers/strings.ts', 'src/platform/helpers/strings.ts'])('reports %s, which has no room', path => {
    expect(violationsOf({ [path]: '' })).toEqual([`${path} belongs to no room`])
  })

  it('reports a missing file', () => {
    expect(violationsOf({ 'src/core/a.ts': "import './gone'" })).toEqual([
      'src/core/a.ts imports ./gone, which does not exist',
    ])
  })

  it.each(['import', 'import type'])('reports a cycle by %s once, however long', keyword => {
    expect(
      violationsOf({
        'src/core/a.ts': "import { b } from './b'",
        'src/core/b.ts': "import { c } from './c'",
        'src/core/c.ts': `${keyword} { a } from './a'`,
      }),
    ).toEqual([expect.stringMatching(/^cycle: /)])
  })
})

/** The specifier that `from` writes for `to`. */
function relative(from: string, to: string): string {
  return `${'../'.repeat(from.split('/').length - 1)}${to.replace(/\.tsx?$/, '')}`.replace(/^(?!\.)/, './')
}
