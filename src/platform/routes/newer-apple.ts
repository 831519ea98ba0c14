import { createLocalJWKSet, jwtVerify } from 'jose'
import * as v from 'valibot'
import { endpoint } from '../../transport/endpoint'
import { enabledProvider } from '../directory/enabled-provider'
import { decide } from '../directory/oauth-decision'
import { requireSecondFactor } from '../directory/second-factor'
import { signIn } from '../directory/sessions'
import { serve } from '../http/serve'
import type { Engine } from '../model/engine'
import { known } from '../model/refusal'
import { appleIssuer } from '../provider/apple-token'
import { ProviderProfile } from '../provider/sign-in'
import { providerKey } from '../provider/token'

// Written apart from the kit's declarations, so that tests can find a mistake in either.
const native = endpoint('POST /auth/oauth/callback/apple/native', {
  access: 'client',
  body: { idToken: v.string() },
  returns: v.object({
    accessToken: v.string(),
    refreshToken: v.string(),
    userId: v.string(),
    isNewUser: v.boolean(),
  }),
  ownedBy: 'app',
})

/** The newer release's sign-in of apps for iOS and macOS. */
export const newerAppleRoutes = [
  serve(native, {}, async ({ engine, caller: { project, user: current }, input: { idToken }, origin }) => {
    const { appleBundleIds = [] } = enabledProvider(project.config, 'apple', 'allowSignIn')
    if (appleBundleIds.length === 0)
      throw known('APPLE_BUNDLE_ID_NOT_CONFIGURED', 'The provider "apple" of this project has no appleBundleIds.')
    const profile = await profileIn(engine, idToken, appleBundleIds)
    const asked = {
      provider: 'apple',
      linksUserId: null,
      upgradesUserId: current?.id ?? null,
      challenge: { token: null, isInvisible: false },
    }
    const { user, isNewUser } = decide(engine, project, asked, profile)
    requireSecondFactor(engine, user)
    return { ...(await signIn(engine, user, origin)), isNewUser }
  }),
]

/** The account that an identity token names. Refuses one that is not of the local Apple, or not for these apps. */
async function profileIn(engine: Engine, token: string, bundleIds: readonly string[]): Promise<ProviderProfile> {
  const { publicKey } = await providerKey(engine, 'apple')
  try {
    const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: [publicKey] }), {
      issuer: appleIssuer,
      audience: [...bundleIds],
      currentDate: new Date(engine.clock.now()),
    })
    return v.parse(ProviderProfile, payload)
  } catch {
    throw known('INVALID_APPLE_CREDENTIALS', 'The identity token is not of Apple, is for another app, or has expired.')
  }
}
