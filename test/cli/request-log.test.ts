import { requestLine } from '../../src/cli/develop'

const at = 'http://127.0.0.1:8102'

function line(
  {
    url = `${at}/api/v1/users`,
    method = 'GET',
    access = 'client',
  }: { url?: string; method?: string; access?: string | null },
  response: Response | null,
  body = '',
  millis = 3.4,
) {
  const headers = access === null ? {} : { 'x-stack-access-type': access }
  return requestLine({ request: new Request(url, { method, headers }), response, body, millis })
}

const status = (code: number, headers: Record<string, string> = {}) => new Response(null, { status: code, headers })

describe('the line of a request', () => {
  it.each([
    ['a success', line({}, status(200), '{"error":"no"}'), 'GET /api/v1/users (client) 200 3 ms\n'],
    ['no access type', line({ access: null }, status(200)), 'GET /api/v1/users 200 3 ms\n'],
    ['a lost answer', line({ method: 'POST' }, null, 'x', 12.6), 'POST /api/v1/users (client) no answer 13 ms\n'],
    [
      'a status that was overridden',
      line({}, status(200, { 'x-stack-actual-status': '400', 'x-stack-known-error': 'A_CODE' }), '{"error":"Why."}'),
      'GET /api/v1/users (client) 400 3 ms: A_CODE Why.\n',
    ],
    ['a plain refusal', line({}, status(403), 'No\n  way.'), 'GET /api/v1/users (client) 403 3 ms: No way.\n'],
    ['a page', line({}, status(404), '<p>no</p>'), 'GET /api/v1/users (client) 404 3 ms\n'],
    [
      'JSON without an error',
      line({}, status(400), '{"error":5}'),
      'GET /api/v1/users (client) 400 3 ms: {"error":5}\n',
    ],
    [
      'a redirect elsewhere',
      line({}, status(307, { location: 'https://app.test/back?code=secret' })),
      'GET /api/v1/users (client) 307 3 ms: to https://app.test/back\n',
    ],
    [
      'a redirect with a failure',
      line({}, status(307, { location: 'https://app.test/?error=server_error&errorCode=A_CODE' })),
      'GET /api/v1/users (client) 307 3 ms: to https://app.test/ with A_CODE\n',
    ],
    [
      'a redirect with a failure of OAuth',
      line({}, status(302, { location: 'https://app.test/?error=access_denied' })),
      'GET /api/v1/users (client) 302 3 ms: to https://app.test/ with access_denied\n',
    ],
    [
      'a redirect to a path',
      line({}, status(308, { location: '/api/v1/users?code=secret' })),
      'GET /api/v1/users (client) 308 3 ms: to /api/v1/users\n',
    ],
    [
      'an error with a location',
      line({}, status(400, { location: '/x' }), 'why'),
      'GET /api/v1/users (client) 400 3 ms: why\n',
    ],
    [
      'an address in a path',
      line({ url: `${at}/api/v1/a@b.test/x?code=1` }, status(200)),
      'GET /api/v1/[email]/x (client) 200 3 ms\n',
    ],
    [
      'an access type that looks like a line',
      line({ access: 'a b' }, status(200)),
      'GET /api/v1/users (a b) 200 3 ms\n',
    ],
    [
      'a long access type',
      line({ access: 'x '.repeat(60) }, status(200)),
      `GET /api/v1/users (${'x '.repeat(30)}) 200 3 ms\n`,
    ],
    [
      'a long reason',
      line({}, status(500), 'x '.repeat(300)),
      `GET /api/v1/users (client) 500 3 ms: ${'x '.repeat(150)}\n`,
    ],
  ])('of %s', (_, printed, expected) => {
    expect(printed).toBe(expected)
  })
})
