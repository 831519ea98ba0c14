import * as v from 'valibot'
import { items } from '../../core/wire'
import { allowsConnectedAccounts } from '../directory/oauth-accounts'
import { endpoint } from '../../transport/endpoint'
import type { Access } from '../../transport/endpoint'
import { ownUserId, tokenFor } from './connected-accounts'
import { serve } from '../http/serve'

// Written apart from the kit's declarations, so that tests can find a mistake in either.

const listAs = <A extends Access>(access: A) =>
  endpoint('GET /connected-accounts/{userId}', {
    access,
    returns: items(v.object({ userId: v.string(), provider: v.string(), providerAccountId: v.string() })),
  })

const tokenAs = <A extends Access>(access: A) =>
  endpoint('POST /connected-accounts/{userId}/{provider}/{providerAccountId}/access-token', {
    access,
    body: { scope: v.optional(v.string()) },
    returns: v.object({ accessToken: v.string() }),
  })

/** The newer release's additional routes for acting at a provider, where a user has several accounts of one. */
export const newerConnectedAccountRoutes = [
  serve([listAs('client'), listAs('server')], {}, ({ engine, caller, input }) =>
    engine.tables.oauthAccounts
      .by('userId', ownUserId(caller, input.userId))
      .filter(allowsConnectedAccounts)
      .map(({ userId, provider, accountId }) => ({ userId, provider, providerAccountId: accountId })),
  ),

  serve([tokenAs('client'), tokenAs('server')], { status: 201 }, call =>
    tokenFor(call, call.input.userId, call.input.providerAccountId),
  ),
]
