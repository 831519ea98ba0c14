import * as v from 'valibot'
import { fromWire, toWire } from '../../../src/core/wire'
import { authorizeOAuth, connectedAccountToken, exchangeOAuthCode } from '../../../src/sign-in/oauth/endpoints'
import account from '../../wire/connected-account-token.json'
import exchange from '../../wire/oauth-exchange.json'

it('the answer to a code is read as it is on the wire', () => {
  const { returns } = exchangeOAuthCode
  expect(v.parse(returns!, fromWire(returns!, exchange.answer))).toEqual({
    accessToken: 'string',
    refreshToken: 'string',
    isNewUser: true,
    afterCallbackRedirectUrl: null,
  })
})

it('a token of the provider is asked for and answered as it is on the wire', () => {
  const { input, returns } = connectedAccountToken
  expect(toWire(input, { provider: 'github', scope: 'repo gist' })).toMatchObject(account.request)
  expect(v.parse(returns!, fromWire(returns!, account.answer))).toEqual({ accessToken: 'string' })
})

it('neither the way to a provider nor the exchange carries tokens of the session', () => {
  expect([authorizeOAuth, exchangeOAuthCode, connectedAccountToken].map(({ ownedBy }) => ownedBy)).toEqual([
    'app',
    'app',
    'session',
  ])
})
