import { execFileSync } from 'node:child_process'
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import * as owned from '../../src/entities/projects/client-owned'
import * as client from '../../src/kit/client-members'
import * as definitionsOfAdmins from '../../src/entities/admin'
import * as definitionsOfServers from '../../src/entities/server'
import manifest from '../../package.json'
import { declaredEndpoints } from '../declared-endpoints'
import { bleeding, unneeded } from './bleed'
import { bundle, webpackBundle } from './bundle'
import { readDeclarations, type Declarations } from './declarations'
import { root } from './sources'

const names = ['createKit', 'cookieTokens', 'signInWithPassword', 'user$']
const app = `import { ${names.join(', ')} } from 'rxauth'\nconsole.log(${names.join(', ')})\n`

/** Only our own code is checked: dependencies use some of the same names. */
const dependencies = Object.keys(manifest.dependencies)

/** Flows that this app does not use, checked against any later import. */
const flows = {
  signUpWithPassword: 'POST /auth/password/sign-up',
  updatePassword: 'POST /auth/password/update',
  setPassword: 'POST /auth/password/set',
  sendPasswordResetEmail: 'POST /auth/password/send-reset-code',
  resetPassword: 'POST /auth/password/reset',
  sendVerificationEmail: 'POST /contact-channels/send-verification-code',
  verifyEmail: 'POST /contact-channels/verify',
  sendMagicLinkEmail: 'POST /auth/otp/send-sign-in-code',
  signInWithMagicLink: 'POST /auth/otp/sign-in',
  cliLogin$: 'POST /auth/cli',
  promptCliLogin: 'POST /auth/cli/poll',
  completeCliLogin: 'POST /auth/cli/complete',
  signInWithOAuth: 'GET /auth/oauth/authorize/{provider}',
  handleOAuthCallback: 'stack-oauth-outer-',
  connectedAccountToken: 'POST /connected-accounts/me/{provider}/access-token',
}

/** Every definition over an endpoint, except the app's own. */
const entities = Object.fromEntries(
  Object.entries({ ...client, ...owned }).flatMap(([name, definition]) => {
    const { endpoint } = definition as { readonly endpoint?: { readonly route: string } }
    return endpoint && endpoint.route !== 'GET /users/me' ? [[name, endpoint.route]] : []
  }),
)
const never: Readonly<Record<string, string>> = { ...flows, ...entities }

/** Texts that give access above the client level. */
const secrets = [
  'x-stack-secret-server-key',
  'STACK_SECRET_SERVER_KEY',
  'x-stack-super-secret-admin-key',
  'STACK_SUPER_SECRET_ADMIN_KEY',
  'x-stack-admin-access-token',
  'ssk_local',
  'sak_local',
  // Of the tree of settings.
  'launch-checklist',
]

describe('an app that signs in with a password', () => {
  let declarations: Declarations

  beforeAll(() => {
    declarations = readDeclarations(root, 'src/index.ts')
  })

  it('needs its imports and the declarations that they refer to, and not their siblings', () => {
    const needed = [...declarations.neededBy(names)]
    const spare = unneeded(declarations, names)
    expect(needed.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
    expect(spare.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(never)))
    const files = new Set(needed.map(({ file }) => file))
    expect(spare.filter(({ file }) => files.has(file)).map(({ name }) => name)).toContain('deleteUser')
  })

  // Promise: bundle-without-unused
  it('contains no definition that it does not use', async () => {
    const { code } = await bundle(app, { external: dependencies })
    expect(code).toContain('"GET /users/me"')
    expect(bleeding(code, declarations, names)).toEqual([])
    for (const [name, route] of Object.entries(never)) {
      expect(code).not.toContain(name)
      expect(code).not.toContain(route)
    }
  })

  // Promise: bundle-without-unused
  it('contains no text that it does not use when webpack bundles it', async () => {
    const code = await webpackBundle(app, dependencies)
    expect(code).toContain('"GET /users/me"')
    expect(bleeding(code, declarations, names)).toEqual([])
    for (const route of Object.values(never)) expect(code).not.toContain(route)
  })

  // Promise: bundle-without-unused
  it('contains them without the pure annotations of the build, and this test finds them', async () => {
    mkdirSync(join(root, '.tmp'), { recursive: true })
    const dist = mkdtempSync(join(root, '.tmp/unannotated-'))
    try {
      const rollup = join(root, 'node_modules/rollup/dist/bin/rollup')
      execFileSync(process.execPath, [rollup, '--config', '--silent', '--configUnannotated', '--configDist', dist], {
        cwd: root,
      })
      const { code } = await bundle(app, { dist: relative(root, dist), external: dependencies })
      expect(bleeding(code, declarations, names)).toEqual(
        expect.arrayContaining([expect.stringContaining(`"${never['deleteUser']}"`)]),
      )
    } finally {
      rmSync(dist, { recursive: true })
    }
  })
})

/** Routes that only servers and admins call, in definitions or not (`POST /user-api-keys/check`). */
const routesAbove = (() => {
  const declared = declaredEndpoints()
  const ofClients = new Set(declared.flatMap(({ access, route }) => (access === 'client' ? [route] : [])))
  return [...new Set(declared.map(({ route }) => route))].filter(route => !ofClients.has(route))
})()

/**
 * Names of definitions for servers and admins only. Only types of `rxauth` are about servers (`ServerMetadata`), and no
 * bundle contains a type.
 */
const namesAbove = Object.entries({ ...definitionsOfServers, ...definitionsOfAdmins }).flatMap(([name, definition]) =>
  typeof definition === 'function' && !(name in client) ? [name] : [],
)

/** The parts of this code for levels above clients. */
function above(code: string): string[] {
  // `createUser` is for servers, `createUserApiKey` is not.
  const words = new Set(code.match(/[\w$]+/g))
  return [
    ...namesAbove.filter(name => words.has(name)),
    // With its quotes: `GET /users` is for servers, `GET /users/me` is not.
    ...routesAbove.filter(route => code.includes(JSON.stringify(route))),
    ...[...secrets, ...levels].filter(text => code.includes(text)),
  ]
}

/** The access level in an endpoint that is not for clients: `GET /teams` is a route of both. */
const levels = ['access: "server"', 'access: "admin"']

/** As above: our own code only. */
const external = [...dependencies, 'react', 'rxjs']

describe('nothing of the levels above clients is in', () => {
  it.each([
    [
      'a client app with everything bound',
      "import { createClientApp } from 'rxauth'\nconsole.log(createClientApp)\n",
      'DELETE /users/me',
    ],
    ['rxauth as a whole', "export * from 'rxauth'\n", 'DELETE /users/me'],
    ['rxauth/react as a whole', "export * from 'rxauth/react'\n", 'useAuthRouting'],
  ])('%s', async (_, text, expected) => {
    const { code } = await bundle(text, { external })
    expect(code).toContain(expected)
    expect(above(code)).toEqual([])
  })

  it('rxauth/server and rxauth/admin, where this test finds all of it', async () => {
    // `bundle` has no alias for the entries of servers.
    const { code } = await bundle("export * from './dist/server.js'\nexport * from './dist/admin.js'\n", { external })
    expect(namesAbove).toEqual(expect.arrayContaining(['updateUserById', 'updateProject', 'isPermitted', 'listUsers']))
    expect(routesAbove).toEqual(
      expect.arrayContaining(['GET /users', 'GET /internal/api-keys', 'POST /user-api-keys/check']),
    )
    expect(above(code)).toEqual([...namesAbove, ...routesAbove, ...secrets, ...levels])
  })
})
