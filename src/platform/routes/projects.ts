import * as v from 'valibot'
import { project$ } from '../../resources/project'
import { platformOnly } from '../platform-only'
import { plain } from '../refusal'
import { enabledProviders } from '../project-config'
import { serve, servePublic } from '../serve'

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

export const projectRoutes = [
  serve(project$, {}, ({ caller: { project } }) => ({
    ...project,
    config: { ...project.config, enabledOauthProviders: enabledProviders(project.config) },
  })),

  servePublic(jwks, {}, async ({ engine, input: { projectId } }) => {
    if (!engine.database.projects.get(projectId)) throw plain(404, 'There is no such project.')
    return { keys: await engine.accessTokens.publicKeys(projectId) }
  }),
]
