import { tokenVerifier } from 'rxauth/server'
import { ada, world } from '../world'
import { codeOf, hosted, issuer, projectId, tokenOf } from './verifier-world'

describe('a verified token', () => {
  it('has the token’s claims about its user', async () => {
    const { verify, first, now } = await hosted()
    const claims = {
      name: 'Ada',
      email: 'ada@example.com',
      email_verified: false,
      selected_team_id: 'team-1',
      requires_totp_mfa: true,
      signed_up_at: now() - 60,
      refresh_token_id: 'session-1',
    }
    expect(await verify(await first.sign(claims))).toMatchObject({
      userId: 'ada',
      sessionId: 'session-1',
      user: {
        displayName: 'Ada',
        primaryEmail: 'ada@example.com',
        primaryEmailVerified: false,
        selectedTeamId: 'team-1',
        requiresTotpMfa: true,
        signedUpAt: new Date((now() - 60) * 1000),
      },
    })
    const sparse = await verify(await first.sign({ email_verified: true }))
    expect(sparse).toMatchObject({
      sessionId: null,
      user: { displayName: null, primaryEmail: null, selectedTeamId: null, requiresTotpMfa: false, signedUpAt: null },
    })
  })

  it('has the reason of a restricted user', async () => {
    const { platform, app, settled } = await world({
      platform: { wire: '2026', seed: { project: { config: { requireEmailVerification: true } }, users: [ada] } },
    })
    const token = await settled(tokenOf(app))
    const verify = tokenVerifier({ ...platform.options, allowRestricted: true })
    expect(await verify(token)).toMatchObject({
      isRestricted: true,
      restrictedReason: { type: 'email_not_verified' },
    })
    await expect(verify(token, { allowRestricted: false })).rejects.toMatchObject({
      details: { restrictedReason: { type: 'email_not_verified' } },
    })
  })

  // Promise: anonymous-refused
  it('refuses claims of an anonymous user under the audience of others', async () => {
    const { verify, first } = await hosted()
    expect(await codeOf(verify(await first.sign({ is_anonymous: true })))).toBe('ANONYMOUS_AUTHENTICATION_NOT_ALLOWED')
    expect(await codeOf(verify(await first.sign({ is_restricted: true })))).toBe('RESTRICTED_USER_NOT_ALLOWED')
  })

  // Promise: anonymous-unknown
  it.each([
    [{ refreshTokenId: 'session-1', branchId: 'main', role: 'authenticated' }, undefined],
    [{}, undefined],
    [{ refresh_token_id: 'session-1' }, false],
    [{ refresh_token_id: 'session-1', is_anonymous: false }, false],
    [{ is_anonymous: true }, true],
    // Whatever the claims leave out, the audience is that of anonymous users.
    [{ aud: `${projectId}:anon`, iss: issuer.replace('projects', 'projects-anonymous-users') }, true],
    [
      { aud: `${projectId}:anon`, iss: issuer.replace('projects', 'projects-anonymous-users'), is_anonymous: false },
      true,
    ],
  ])(
    'with the claims %j is of an anonymous user: %s, where undefined is that they cannot say it',
    async (claims, is) => {
      const { verify, first } = await hosted({ allowAnonymous: true })
      expect(await verify(await first.sign(claims))).toMatchObject({ userId: 'ada', isAnonymous: is })
    },
  )

  it('sends an older platform no unknown parameters', async () => {
    const { verify, first, asked, state } = await hosted({ allowAnonymous: true, allowRestricted: true })
    state.answer = async () =>
      asked.at(-1)?.includes('?') ? new Response('unknown field', { status: 400 }) : Response.json({ keys: state.keys })
    expect(await codeOf(verify(await first.sign()))).toBe('good')
    const path = `/api/v1/projects/${projectId}/.well-known/jwks.json`
    expect(asked).toEqual([`${path}?include_anonymous=true&include_restricted=true`, path])
  })
})
