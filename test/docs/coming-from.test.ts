import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as client from 'rxauth'
import * as admin from 'rxauth/admin'
import { createPlatform } from 'rxauth/platform'
import * as server from 'rxauth/server'
import * as react from '../../react'
import { root } from './blocks'

const folder = join(root, 'docs/coming-from')
const pages = readdirSync(folder)

/** The cells of the last columns of a page's tables, which are about rxauth. */
function rightColumns(page: string): string[] {
  return [...readFileSync(join(folder, page), 'utf8').matchAll(/^\|.*\| +([^|\n]+?) +\|$/gm)]
    .map(([, text = '']) => text.trim())
    .filter(text => !/^(-+|rxauth)$/.test(text))
}

/** Each piece of code in the first column of a section's table, which is about the other kit. */
function vendorCode(page: string, section: string): string[] {
  const [, text = ''] = readFileSync(join(folder, page), 'utf8').split(`\n## ${section}\n`)
  const [table = ''] = text.split('\n## ')
  const rows = table.matchAll(/^\| ([^|\n]+?) +\|/gm)
  return [...rows].flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code))
}

/** The members that apps of the vendor's client kit call, read and configure. */
const clientMembers = [
  ...["StackClientApp({ tokenStore: 'cookie' })", "tokenStore: 'memory'", 'tokenStore: { accessToken, refreshToken }'],
  ...['oauthScopesOnSignIn', 'extraRequestHeaders', 'redirectMethod', 'urls: {', '{ noRedirect: true }'],
  ...['app.getUser()', "app.getUser({ or: 'anonymous' })", "app.getUser({ or: 'anonymous-if-exists' })"],
  ...['app.useUser()', "app.useUser({ or: 'throw' })", 'app.getProject(', 'app.useProject(', 'app.urls'],
  ...['app.signInWithOAuth(', 'app.callOAuthCallback(', 'app.signInWithCredential(', 'app.signUpWithCredential('],
  ...['app.signInWithMagicLink(', 'app.signInWithMfa(', 'app.signInWithPasskey(', 'app.promptCliLogin('],
  ...['app.sendForgotPasswordEmail(', 'app.sendMagicLinkEmail(', 'app.verifyPasswordResetCode(', 'app.resetPassword('],
  ...['app.verifyEmail(', 'app.verifyTeamInvitationCode(', 'app.getTeamInvitationDetails('],
  ...['app.acceptTeamInvitation(', 'app.signOut()', 'app.signOut({ redirectUrl })', 'app.redirectTo…()'],
  ...['app.useNavigate(', 'app.signUpAnonymously(', 'POST /auth/cli/complete'],
  ...['user.signOut()', 'user.signOut({ redirectUrl })', 'user.getAuthJson(', 'user.getAuthHeaders('],
  ...['user.currentSession.getTokens(', 'user.registerPasskey(', 'user.update({ displayName })'],
  ...['user.update({ totpMultiFactorSecret })', 'user.setDisplayName(', 'user.setClientMetadata('],
  ...['user.setSelectedTeam(', 'user.sendVerificationEmail(', 'user.updatePassword(', 'user.setPassword('],
  ...['user.delete(', 'user.listTeams(', 'user.useTeams(', 'user.getTeam(', 'user.useTeam(', 'user.createTeam('],
  ...['user.leaveTeam(', 'user.getTeamProfile(', 'user.useTeamProfile(', 'user.listPermissions('],
  ...['user.usePermissions(', 'user.getPermission(', 'user.usePermission(', 'user.hasPermission('],
  ...['user.listContactChannels(', 'user.useContactChannels(', 'user.createContactChannel('],
  ...['user.listNotificationCategories(', 'user.useNotificationCategories(', 'user.listApiKeys('],
  ...['user.useApiKeys(', 'user.createApiKey(', 'user.getConnectedAccount(provider, { scopes })'],
  ...["user.getConnectedAccount(provider, { or: 'redirect'", 'user.useConnectedAccount(', 'user.getActiveSessions('],
  ...['user.revokeSession(', 'user.createProject(', 'user.listOwnedProjects(', 'user.useOwnedProjects('],
  ...['user.isMultiFactorRequired', 'user.emailAuthEnabled', 'user.oauthProviders', 'session.geoInfo'],
  ...['account.getAccessToken(', 'account.useAccessToken(', 'project.config.oauthProviders'],
  ...['team.inviteUser(', 'team.listUsers(', 'team.useUsers(', 'team.listInvitations(', 'team.useInvitations('],
  ...['team.update(', 'team.delete(', 'team.listApiKeys(', 'team.useApiKeys(', 'team.createApiKey('],
  ...['invitation.revoke(', 'profile.update(', 'category.setEnabled(', 'channel.update(', 'channel.delete('],
  ...['channel.sendVerificationEmail(', 'key.update(', 'key.revoke(', 'key.isValid(', 'key.whyInvalid('],
  ...["result.status === 'error'", 'error instanceof KnownErrors'],
]

describe('the pages for users of another kit', () => {
  const platform = createPlatform()
  const apps: Readonly<Record<string, object>> = {
    app: { ...client.createClientApp({ ...platform.options, tokens: client.memoryTokens() }), ...adminApp() },
    server: server.createServerApp(platform.serverOptions),
    admin: adminApp(),
  }
  function adminApp() {
    return admin.createAdminApp(platform.adminOptions)
  }

  it.each(pages)('%s names members that apps have', page => {
    const named = rightColumns(page).flatMap(text => [...text.matchAll(/\b(app|server|admin)\.(\w+\$?)(?![\w…])/g)])
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter(([, app = '', name = '']) => !(name in apps[app]!)).map(([text]) => text)).toEqual([])
  })

  it.each(pages)('%s calls functions that are exported', page => {
    const called = rightColumns(page).flatMap(text => [...text.matchAll(/(?<![.\w`])`?(\w+\$?)\(/g)])
    const exported = { ...client, ...server, ...admin, ...react, createPlatform }
    const elsewhere = [...Object.values(apps).flatMap(app => Object.keys(app)), 'verify']
    const unknown = called.map(([, name = '']) => name).filter(name => !(name in exported) && !elsewhere.includes(name))
    expect(called.length).toBeGreaterThan(5)
    expect(unknown).toEqual([])
  })

  it.each(pages)('%s names `passwordHash`', page => {
    expect(readFileSync(join(folder, page), 'utf8')).toContain('passwordHash')
  })

  it("stack-auth.md has a row for each member of the vendor's client", () => {
    const code = vendorCode('stack-auth.md', 'The client')
    const missing = clientMembers.filter(member => !code.some(text => text.replace(/^new /, '').startsWith(member)))
    expect(missing).toEqual([])
  })
})
