import * as v from 'valibot'
import { endpoint } from '../../transport/endpoint'
import { servePublic, serve } from '../http/serve'
import { json } from '../../core/wire'
import { checkFeatureSupport } from '../../entities/projects/client'
import { schemaError } from '../model/refusal'
import { createWebhookToken } from '../../entities/webhooks/admin'
import { randomText } from '../model/random-text'

const root = endpoint('GET /', { access: 'client', returns: v.string() })

/** The release of the hosted platform's kit whose protocol this platform speaks. */
const release = '2.8.18'

/** The only answer in camelCase on the wire. */
type VersionCheck =
  | { readonly upToDate: true }
  | { readonly upToDate: false; readonly error: string; readonly severe: boolean }

const checkVersion = endpoint('POST /check-version', { access: 'client', returns: json<VersionCheck>() })

const versionQuestion = v.strictObject({ clientVersion: v.union([v.string(), v.number()]) })

/** 38 characters, as on the hosted platform. */
const tokenBits = 190

export const routes = [
  servePublic(checkFeatureSupport, { takesAnyBody: true, mayLackBody: true, asText: true }, ({ body }) => {
    const { feature_name: name } = Object(body) as { readonly feature_name?: unknown }
    return `Unsupported feature${typeof name === 'string' ? ` "${name}"` : ''}: it is not supported by the local platform.`
  }),

  servePublic(checkVersion, { takesAnyBody: true }, ({ body }) => {
    const asked = v.safeParse(versionQuestion, body)
    if (asked.success) return checked(String(asked.output.clientVersion))
    throw schemaError('the body must be an object with the text clientVersion and nothing else')
  }),

  servePublic(root, { asText: true }, ({ caller }) =>
    [
      'Welcome to the local platform of rxauth.',
      `Access type: ${caller?.access ?? 'none'}`,
      `Project id: ${caller?.project.id ?? 'none'}`,
      `User: ${caller?.user?.id ?? 'none'}`,
      '',
    ].join('\n'),
  ),

  serve(createWebhookToken, { body: {}, status: 201 }, () => ({ token: randomText(tokenBits) })),
]

function checked(clientVersion: string): VersionCheck {
  const [version = ''] = /^\d+\.\d+\.\d+/.exec(clientVersion) ?? []
  if (version.localeCompare(release, 'en', { numeric: true }) >= 0) return { upToDate: true }
  return {
    upToDate: false,
    error: `The client's version ${clientVersion} is older than ${release}; update it.`,
    // Another major version has another protocol.
    severe: !version.startsWith('2.'),
  }
}
