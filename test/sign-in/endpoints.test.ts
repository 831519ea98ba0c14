import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { fromWire, toWire } from '../../src/core/wire'
import * as anonymous from '../../src/sign-in/anonymous'
import * as cli from '../../src/sign-in/cli/input'
import * as emailVerification from '../../src/sign-in/email-verification'
import * as password from '../../src/sign-in/password/password'
import { passwordSignUp } from '../../src/sign-in/password/password'
import { SignInAnswer } from '../../src/sign-in/answers'
import * as magicLink from '../../src/sign-in/magic-link'
import * as mfa from '../../src/sign-in/second-factor'
import * as oauth from '../../src/sign-in/oauth/endpoints'
import * as passkey from '../../src/sign-in/passkey/authenticator'
import * as passwordReset from '../../src/sign-in/password/reset'
import * as teamInvitation from '../../src/entities/team-invitations/shape'
import type { Access, Endpoint } from '../../src/transport/endpoint'
import recorded from '../wire/password-sign-up.json'

const modules = {
  anonymous,
  cli,
  emailVerification,
  password,
  magicLink,
  mfa,
  oauth,
  passkey,
  passwordReset,
  teamInvitation,
}

function isEndpoint(value: unknown): value is Endpoint<Access, unknown, unknown, never> {
  return typeof value === 'object' && value !== null && 'route' in value
}

it('a sign-up is sent and answered as it is on the wire', () => {
  const { email, password, verification_callback_url: verificationCallbackUrl } = recorded.request
  expect(toWire(passwordSignUp.input, { email, password, verificationCallbackUrl })).toEqual(recorded.request)
  expect(v.parse(SignInAnswer, fromWire(SignInAnswer, recorded.answer))).toEqual({
    accessToken: 'string',
    refreshToken: 'string',
    userId: 'string',
  })
})

it('of all these calls only those for the signed-in user carry tokens', () => {
  // One that is missing above would not be looked at.
  const files = readdirSync('src/sign-in', { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'))
  const declaring = files.filter(file =>
    /^export const \w+ = endpoint\(/m.test(readFileSync(join('src/sign-in', file), 'utf8')),
  )
  expect(Object.keys(modules)).toHaveLength([...declaring, 'of team invitations'].length)
  const all = Object.values(modules).flatMap(module => Object.entries(module))
  const routes = all.flatMap(([name, value]) => (isEndpoint(value) ? [{ name, ...value }] : []))
  expect(
    routes
      .filter(({ ownedBy }) => ownedBy === 'session')
      .map(({ name }) => name)
      .sort(),
  ).toEqual([
    'acceptInvitation',
    'acceptOwnInvitation',
    'addPassword',
    'changePassword',
    'completeCliLogin',
    'connectedAccountToken',
    'invitationDetails',
    'providerAccountTokenEndpoint',
    'registerPasskeyCredential',
    'sendPrimaryVerification',
    'startPasskeyRegistration',
  ])
  expect(routes.filter(({ access }) => access !== 'client')).toEqual([])
})
