type Fetch = typeof globalThis.fetch

/** A fetch whose requests `answer` may answer in place of the platform; undefined: the platform answers. */
export function intercept(
  fetch: Fetch,
  answer: (request: Request) => Response | Promise<Response | undefined> | undefined,
): Fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    return (await answer(request.clone())) ?? fetch(request)
  }
}

/** The refresh grant. */
export function isRefresh(request: Request): boolean {
  return new URL(request.url).pathname === '/api/v1/auth/oauth/token'
}

/** An answer of the platform; `code`: a known error, as with the override header. */
export function answered(status: number, body: unknown, code?: string): Response {
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: code === undefined ? {} : { 'x-stack-known-error': code },
  })
}

export function knownError(status: number, code: string): Response {
  return answered(status, { code, error: `${code} happened` }, code)
}

/** A user as in the answer of `GET /users/me`. */
export function userAnswer(fields: Readonly<Record<string, unknown>> = {}): Response {
  return answered(200, {
    id: 'user-1',
    display_name: 'Ada',
    primary_email: 'ada@example.com',
    primary_email_verified: false,
    profile_image_url: null,
    signed_up_at_millis: 1_760_000_000_000,
    client_metadata: null,
    client_read_only_metadata: null,
    has_password: true,
    otp_auth_enabled: false,
    passkey_auth_enabled: false,
    auth_with_email: true,
    requires_totp_mfa: false,
    is_anonymous: false,
    oauth_providers: [],
    selected_team_id: null,
    selected_team: null,
    ...fields,
  })
}
