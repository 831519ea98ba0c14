import * as v from 'valibot'
import { endpoint } from '../../transport/endpoint'
import { servePublic } from '../serve'

const root = endpoint('GET /', { access: 'client', returns: v.string() })

export const rootRoutes = [
  servePublic(root, { asText: true }, ({ caller }) => {
    if (!caller) return 'Welcome to the local platform of rxauth. Nobody in particular is asking.\n'
    const { access, project, user } = caller
    return [
      'Welcome to the local platform of rxauth.',
      `Access type: ${access}`,
      `Project id: ${project.id}`,
      `User: ${user ? user.id : 'none'}`,
      '',
    ].join('\n')
  }),
]
