import * as v from 'valibot'
import { project$ } from '../../resources/project'
import { endpoint } from '../../transport/endpoint'
import { endpointOf } from '../endpoint-of'
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

const jwks = endpoint('GET /projects/{projectId}/.well-known/jwks.json', { access: 'client', returns: publicKeySet })

export const projectRoutes = [
  serve(endpointOf(project$), {}, ({ caller: { project } }) => ({
    ...project,
    config: { ...project.config, enabledOauthProviders: enabledProviders(project.config) },
  })),

  servePublic(jwks, {}, async ({ engine, input: { projectId } }) => {
    if (!engine.database.projects.get(projectId)) throw plain(404, 'There is no such project.')
    return { keys: await engine.accessTokens.publicKeys(projectId) }
  }),
]
