import { screen } from '@testing-library/react'
import { useUser } from 'rxauth/react'
import { ada } from '../world'
import { reactWorld, silenceReports } from './harness'

function Name({ or }: { readonly or?: 'null' | 'anonymous' | 'redirect' | 'throw' }) {
  const user = useUser(or === undefined ? {} : { or })
  return <p>{user === null ? 'signed out' : `${user.displayName}, ${user.restriction?.type ?? 'free'}`}</p>
}

/** Ada, who is restricted, and the redirects of the page. */
async function restricted(user: { readonly verified: boolean; readonly restricted?: boolean }, navigates = true) {
  const gone: string[] = []
  const inner = await reactWorld({
    platform: {
      wire: '2026',
      seed: { users: [{ ...ada, ...user }], project: { config: { requireEmailVerification: true } } },
    },
    app: { navigate: navigates ? url => gone.push(url) : 'none' },
  })
  return { ...inner, gone }
}

const unverified = { verified: false }

describe('useUser of a restricted user', () => {
  beforeEach(() => {
    window.history.replaceState(null, '', '/notes?page=2')
    window.sessionStorage.clear()
  })

  it.each([undefined, 'null', 'anonymous'] as const)('with or: %s gives the user and the reason', async or => {
    const { show, pass } = await restricted(unverified)
    show(<Name {...(or && { or })} />)
    await pass(0)
    expect(screen.getByText('Ada, email_not_verified')).toBeTruthy()
  })

  // Promise: restricted-user
  it('with or: throw throws to the boundary', async () => {
    const reports = silenceReports()
    const { show, pass } = await restricted(unverified)
    show(<Name or="throw" />)
    await pass(0)
    expect(screen.getByText('failed: RESTRICTED_USER_NOT_ALLOWED')).toBeTruthy()
    reports.mockRestore()
  })

  // Promise: restricted-user
  it('with or: redirect goes to the page of e-mail verification, once, and comes back here', async () => {
    const { show, pass, gone } = await restricted(unverified)
    show([<Name key="a" or="redirect" />, <Name key="b" or="redirect" />], { strict: true })
    await pass(0)
    expect(gone).toEqual(['/handler/email-verification?after_auth_return_to=%2Fnotes%3Fpage%3D2'])
    expect(screen.getByText('loading')).toBeTruthy()
  })

  it('with or: redirect lets the user in as soon as the address is verified elsewhere', async () => {
    const { show, pass, app, platform, settled } = await restricted(unverified)
    // An app's frame shows the signed-in user.
    app.auth$.subscribe()
    show(<Name or="redirect" />)
    await pass(0)
    await settled(app.sendVerificationEmail({ callbackUrl: 'http://localhost:3000/' }))
    const { links } = platform.mailbox(ada.email).messages.at(-1)!
    const verifying = app.verifyEmail({ code: new URL(links[0]!).searchParams.get('code')! })
    await pass(3000)
    expect(await settled(verifying)).toMatchObject({ ok: true })
    expect(screen.getByText('Ada, free')).toBeTruthy()
  })

  it.each([
    ['has nowhere to go to for another reason', { verified: true, restricted: true }, true],
    ['goes to the boundary if the kit does not navigate', unverified, false],
  ])('with or: redirect %s', async (_, user, navigates) => {
    const reports = silenceReports()
    const { show, pass, gone } = await restricted(user, navigates)
    show(<Name or="redirect" />)
    await pass(0)
    await pass(0)
    expect(gone).toEqual([])
    expect(screen.getByText('failed: RESTRICTED_USER_NOT_ALLOWED')).toBeTruthy()
    reports.mockRestore()
  })
})
