import * as v from 'valibot'
import type { TokenKind } from '../model/access-tokens'
import { project$ } from '../../entities/projects/client'
import { publicSettings } from '../../entities/projects/shape'
import { platformOnly } from '../http/platform-only'
import { plain } from '../model/refusal'
import { enabledProviders } from '../model/project-config'
import { serve, servePublic } from '../http/serve'

const publicKeySet = v.object({
  keys: v.array(
    v.object({
      kty: v.string(),
      crv: v.string(),
      alg: v.string(),
      kid: v.string(),
      x: v.string(),
      y: v.string(),
    }),
  ),
})

const jwks = platformOnly('GET /projects/{projectId}/.well-known/jwks.json', {
  access: 'client',
  returns: publicKeySet,
})

const flag = () => v.optional(v.boolean())

/** The keys of limited tokens are returned on request only; every answer may be cached for an hour. */
const newer = {
  query: { includeAnonymous: flag(), includeRestricted: flag() },
  headers: { 'cache-control': 'public, max-age=3600' },
}

/** Other kits check a redirect of their own before they send it. */
const trusted = {
  config: v.object({
    ...publicSettings,
    enabledOauthProviders: v.array(v.object({ id: v.string() })),
    /** Of later releases than 2.8.86. */
    allowLocalhost: v.optional(v.boolean()),
    domains: v.array(v.object({ domain: v.string(), handlerPath: v.string() })),
  }),
}

export const projectRoutes = [
  serve(project$, { newer: { answers: trusted } }, ({ engine: { rules }, caller: { project } }) => ({
    ...project,
    config: {
      ...project.config,
      enabledOauthProviders: enabledProviders(project.config),
      allowLocalhost: rules.hasLaterFields ? project.config.allowLocalhost : undefined,
    },
  })),

  servePublic(jwks, { newer }, async call => {
    const { projectId, includeAnonymous = false, includeRestricted = false } = call.input
    if (!call.engine.database.projects.get(projectId)) throw plain(404, 'There is no such project.')
    const kinds: TokenKind[] = ['regular']
    if (includeAnonymous || includeRestricted) kinds.push('restricted')
    if (includeAnonymous) kinds.push('anonymous')
    return { keys: await call.engine.accessTokens.publicKeys(projectId, kinds, call.engine.rules.limitsUsers) }
  }),
]
