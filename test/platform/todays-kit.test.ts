import { emailConfig } from '../mail-server'
import session from '../wire/todays-session.json'
import { newer } from './world-2026'
import { ada, keysFor } from './wire-world'

/** A request of a kit of 2026, and what that kit reads of the answer. */
interface Step {
  readonly as: 'client' | 'server' | 'admin'
  readonly line: string
  readonly body?: unknown
  /** Values of the answer by name, for later requests. */
  readonly keeps?: Readonly<Record<string, string>>
  readonly reads?: readonly string[]
}

/** The headers of a kit of 2026, which sends none of the names of release 2.8.18. */
const usual = {
  'x-hexclave-allow-anonymous-user': 'true',
  'x-hexclave-override-error-status': 'true',
  'x-hexclave-client-version': 'js 2.8.108',
  'x-hexclave-random-nonce': 'nonce',
  'ngrok-skip-browser-warning': 'true',
}

function valueAt(body: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[key], body)
}

it('answers each request of a session of a kit of 2026, with every field that the kit reads', async () => {
  const github = { id: 'github', type: 'standard', clientId: 'x', clientSecret: 'x' } as const
  const config = {
    magicLinkEnabled: true,
    clientTeamCreationEnabled: true,
    allowUserApiKeys: true,
    allowTeamApiKeys: true,
    oauthProviders: [github],
    emailConfig,
  } as const
  const { platform } = newer({ seed: { project: { config }, users: [{ ...ada, verified: true }] } })
  const kept: Record<string, string> = { password: ada.password }
  const filled = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => kept[name] ?? whole)
  const complaints: string[] = []
  for (const { as, line, body, keeps = {}, reads = [] } of session as readonly Step[]) {
    const [method = '', path = ''] = filled(line).split(' ')
    const keys = Object.entries(keysFor(platform, as)).map(([name, value]) => [
      name.replace('x-stack-', 'x-hexclave-'),
      value,
    ])
    const headers = {
      ...usual,
      ...(Object.fromEntries(keys) as Record<string, string>),
      ...(as === 'client' &&
        'accessToken' in kept && {
          'x-hexclave-access-token': kept['accessToken'],
          'x-hexclave-refresh-token': kept['refreshToken'],
        }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const url = `${platform.options.baseUrl}/api/v1${path}`
    const sent = body === undefined ? {} : { body: filled(JSON.stringify(body)) }
    const response = await platform.fetch(new Request(url, { method, headers, ...sent }))
    const status = Number(response.headers.get('x-hexclave-actual-status') ?? response.status)
    const text = await response.text()
    if (status < 200 || status >= 300) complaints.push(`${line}: ${status} ${text.slice(0, 300)}`)
    const answer: unknown = text.startsWith('{') ? JSON.parse(text) : undefined
    for (const field of [...reads, ...Object.values(keeps)])
      if (valueAt(answer, field) === undefined) complaints.push(`${line}: no ${field}`)
    for (const [name, field] of Object.entries(keeps)) kept[name] = String(valueAt(answer, field))
  }
  expect(complaints).toEqual([])
  platform.dispose()
})
