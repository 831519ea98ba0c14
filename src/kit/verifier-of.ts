import { coreOf, slot } from '../store/core'
import type { Kit } from '../store/kit'
import { tokenVerifier } from '../verify/token-verifier'
import type { VerifyAccessToken } from '../verify/token-verifier'

const verifiers = {}

/** What verifies the access tokens of a kit's project: a server app has one; for another kit it is made at first use. */
export function verifierOf(
  server: Kit<'server'> & { readonly verifyAccessToken?: VerifyAccessToken },
): VerifyAccessToken {
  return (
    server.verifyAccessToken ??
    slot(server, verifiers, () => {
      const { config, fetch, clock } = coreOf(server).transport
      return tokenVerifier({ projectId: config.projectId, baseUrl: config.baseUrl, fetch, clock })
    })
  )
}
