import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
// Outside of Angular's own builds its compiler comes first.
import '@angular/compiler'
import * as client from 'rxauth'
import * as angular from 'rxauth/angular'
import * as react from '../../react'
import { bundles, type Bundle } from './bundle'
import limits from './size-limits.json'
import { root } from './sources'

/** Apps with React or Angular have it already. The passkey ceremony's code is loaded on use. */
const external = ['@angular/*', 'react', 'react-dom', 'react/jsx-runtime', '@simplewebauthn/browser']

const password = ['createKit', 'cookieTokens', 'signInWithPassword', 'user$']

/** The bytes that each method adds to an app that signs in with a password. */
const methods: Readonly<Record<string, readonly string[]>> = {
  'second factor': ['continueSignIn'],
  'sign-up': ['signUpWithPassword'],
  'password reset': ['sendPasswordResetEmail', 'resetPassword'],
  'email verification': ['sendVerificationEmail', 'verifyEmail'],
  'magic link': ['sendMagicLinkEmail', 'signInWithMagicLink'],
  passkey: ['registerPasskey', 'signInWithPasskey'],
  'passkey autofill': ['signInWithPasskey', 'passkeyAutofill$'],
  'saved sign-in': ['signInWithSaved'],
  OAuth: ['signInWithOAuth', 'handleOAuthCallback'],
  'OAuth in a popup': ['signInWithOAuthPopup', 'handleOAuthCallback'],
  anonymous: ['signUpAnonymously'],
  'authenticator enrolment': ['startTotpEnrolment', 'enableTotp'],
  'CLI login': ['promptCliLogin'],
  'sessions list': ['sessions$', 'revokeSession'],
  'contact channels': ['contactChannels$', 'createContactChannel', 'updateContactChannel', 'deleteContactChannel'],
  teams: ['teams$', 'createTeam', 'updateTeam', 'selectTeam', 'leaveTeam', 'deleteTeam'],
  'team members': ['teamMembers$', 'removeTeamMember', 'updateOwnTeamProfile'],
  'team invitations': ['teamInvitations$', 'sendTeamInvitation', 'teamInvitationDetails', 'acceptTeamInvitation'],
  permissions: ['can$', 'teamPermissions$', 'projectPermissions$'],
  'API keys': ['userApiKeys$', 'createUserApiKey', 'updateUserApiKey', 'revokeUserApiKey'],
  'notification preferences': ['notificationPreferences$', 'updateNotificationPreference'],
  'connected accounts': ['connectedAccounts$', 'connectedAccountToken'],
  'owned projects': ['ownedProjects$', 'createOwnedProject'],
  redirects: ['redirectTo', 'navigateAfterAuth'],
}

const es2020 = 'password only with target es2020'

const sets: Readonly<Record<string, readonly string[]>> = {
  'password only': password,
  [es2020]: password,
  'password only with React': [...password, 'AuthProvider', 'useAuth', 'useAction'],
  createClientApp: ['createClientApp', 'cookieTokens'],
  // The first block of the README.
  'createClientApp with React': ['createClientApp', 'cookieTokens', 'AuthProvider', 'useAction', 'useAuth'],
  'createClientApp with Angular': [
    'cookieTokens',
    'provideRxauth',
    'injectAuth',
    'userGuard',
    'rxauthInterceptor',
    'toResource',
  ],
  // Shows what a server has rendered, and loads nothing but the user.
  'a hydrated page with React': ['createKit', 'cookieTokens', 'user$', 'AuthProvider', 'useUser'],
  ...Object.fromEntries(Object.entries(methods).map(([name, names]) => [`with ${name}`, [...password, ...names]])),
}

const appOf = (imports: readonly string[]) => {
  const from = (entry: string, exported: object) =>
    `import { ${imports.filter(one => one in exported).join(', ')} } from '${entry}'\n`
  return `${from('rxauth', client)}${from('rxauth/react', react)}${from('rxauth/angular', angular)}globalThis.used = [${imports.join(', ')}]\n`
}

const whole = Object.keys(client)
const apps: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(sets).map(([name, imports]) => [name, appOf(imports)])),
  whole: appOf(whole),
  'whole without record': appOf(whole.filter(name => name !== 'record')),
  provider: appOf(['createClientApp', 'cookieTokens', 'AuthProvider']),
  'rxauth/next': "export * from './dist/react/next/client.js'",
}

let bundled: Readonly<Record<string, Bundle>>
const sizeOf = (name: string) => gzipSync(bundled[name]!.code, { level: 9 }).length

const measured = new Map<string, number>()

beforeAll(async () => {
  const options = { minify: true, external: [...external, 'next/*'] }
  // An older target rewrites every private member.
  const older = await bundles({ [es2020]: appOf(password) }, { ...options, target: 'es2020' })
  // The part that writes a recording is loaded by stop().
  const live = await bundles(
    { live: appOf([...password, 'record']), 'without it': appOf(password) },
    { ...options, external: [...external, './written.js'] },
  )
  bundled = { ...(await bundles(apps, options)), ...older, ...live }
})

describe('the gzipped bytes that an app pays, dependencies included', () => {
  it('have a limit for every method', () => {
    expect(
      Object.values(sets)
        .flat()
        .filter(name => !(name in client) && !(name in react) && !(name in angular)),
    ).toEqual([])
    if (!process.env['RXAUTH_WRITE']) expect(Object.keys(limits)).toEqual(Object.keys(sets))
  })

  // Promise: hooks-of-a-kit
  it.each(Object.keys(sets))('for %s', name => {
    const size = sizeOf(name)
    measured.set(name, size)
    const limit = (limits as Readonly<Record<string, number>>)[name]

    const more = name.startsWith('with ') ? ` (+${size - measured.get('password only')!})` : ''
    process.stderr.write(`${name}: ${size}${more} of ${limit} bytes gzipped\n`)
    if (!more) process.stderr.write(`minified, by module:\n${byModule(bundled[name]!)}\n`)
    if (!process.env['RXAUTH_WRITE']) expect(size).toBeLessThanOrEqual(limit!)
  })

  // Promise: next-page-size
  it('of a page of rxauth/next are at most 2 KB more than those of its app and its provider', () => {
    const [own, next] = [sizeOf('provider'), sizeOf('rxauth/next')]
    process.stderr.write(`rxauth/next: ${next - own} bytes more than ${own}\n`)
    expect(next).toBeGreaterThan(own)
    expect(next - own).toBeLessThan(2048)
  })

  it('of record are at most 1.2 KB until it is stopped', () => {
    // Names are shortened by their number in all apps of a build: both are of one.
    const bytes = sizeOf('live') - sizeOf('without it')
    process.stderr.write(`record until stop(): ${bytes} bytes gzipped\n`)
    expect(bytes).toBeLessThan(1229)
  })

  // Promise: record-size
  it('of record are none in an app that has everything else', () => {
    const of = (name: string) => {
      const own = Object.entries(bundled[name]!.inputs).filter(([path]) => path.includes('/extras/record/'))
      return own.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0)
    }
    expect(of('whole without record')).toBe(0)
    expect(of('whole')).toBeGreaterThan(1000)
  })

  afterAll(() => {
    if (process.env['RXAUTH_WRITE']) write()
  })
})

/** Ours by file, dependencies by package, the largest first. */
function byModule({ inputs }: Bundle): string {
  const bytes = new Map<string, number>()
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const module = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path
    bytes.set(module, (bytes.get(module) ?? 0) + bytesInOutput)
  }
  return [...bytes]
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([module, count]) => `  ${String(count).padStart(6)}  ${module}`)
    .join('\n')
}

/** One per cent above the present size: a larger increase has to change the limits. */
function write(): void {
  const next = Object.fromEntries([...measured].map(([name, size]) => [name, Math.round(size * 1.002)]))
  writeFileSync(join(__dirname, 'size-limits.json'), `${JSON.stringify(next, null, 2)}\n`)
  const rows = Object.entries(next).map(([name, limit]) => {
    const more = name.startsWith('with ') ? limit - next['password only']! : 0
    const names = (methods[name.slice('with '.length)] ?? sets[name]!).map(one => `\`${one}\``).join(', ')
    return `| ${name}: ${names} | ${limit} | ${more ? `+${more}` : ''} |`
  })
  const path = join(root, 'docs/sizes.md')
  const table = ['| Imports | At most | More than password only |', '| --- | --- | --- |', ...rows].join('\n')
  const text = readFileSync(path, 'utf8').replace(
    /(<!-- sizes: \S+ -->).*(<!-- \/sizes -->)/s,
    (_, open: string, close: string) => `${open}\n\n${table}\n\n${close}`,
  )
  writeFileSync(path, text)
  execFileSync(process.execPath, [join(root, 'node_modules/oxfmt/bin/oxfmt'), path])
}
