import * as v from 'valibot'
import { platformOnly } from '../http/platform-only'
import { servePublic } from '../http/serve'

const root = platformOnly('GET /', { access: 'client', returns: v.string() })

export const rootRoutes = [
  servePublic(root, { asText: true }, ({ caller }) =>
    [
      'Welcome to the local platform of rxauth.',
      `Access type: ${caller?.access ?? 'none'}`,
      `Project id: ${caller?.project.id ?? 'none'}`,
      `User: ${caller?.user?.id ?? 'none'}`,
      '',
    ].join('\n'),
  ),
]
