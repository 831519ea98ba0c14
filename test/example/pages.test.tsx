import { cleanup, fireEvent, screen } from '@testing-library/react'
import type { ComponentType } from 'react'
import { Route, Switch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { accountPages } from '../../react/example/settings/pages'
import { Screen } from '../../react/example/shell/screen'
import { signInPages } from '../../react/example/sign-in/pages'
import { teamPages } from '../../react/example/teams/pages'
import { clearToasts, Toasts } from '../../react/example/ui/toasts'
import { reactWorld } from '../react/harness'
import { ada, grace } from '../world'

/* Pages of the screens for what goes wrong, and for what a project has switched off. */

// What a browser has and jsdom lacks.
beforeAll(() => {
  Object.assign(HTMLDialogElement.prototype, { showModal: () => undefined, close: () => undefined })
  Object.assign(HTMLElement.prototype, { hidePopover: () => undefined, checkVisibility: () => true })
  jest.spyOn(window, 'scrollTo').mockImplementation()
})

const teamId = '6c1d4d4e-6a0b-4d0a-9f0e-5c1b7f1b7a10'
const pages = { ...signInPages, ...accountPages, ...teamPages } as Record<string, ComponentType<{ section?: string }>>
const keys = { allowUserApiKeys: true, allowTeamApiKeys: true }

/** The pages for a user who has a team open, or for a visitor. Ada is the admin of the team, Grace a member. */
async function project(config: object, as: typeof ada | null = ada) {
  const members = [{ ...ada, permissions: ['team_admin'] }, { email: grace.email }]
  const world = await reactWorld({
    platform: {
      seed: { project: { config }, users: [ada, grace], teams: [{ id: teamId, displayName: 'Ops', members }] },
    },
  })
  const { newApp, settled, pass, platform, show } = world
  let refusal: readonly [path: string, code: string] | undefined
  const app = newApp({
    navigate: url => navigate(url),
    fetch: async (url, init) => {
      if (!refusal || !(url as string).includes(refusal[0])) return platform.options.fetch(url, init)
      const [, code] = refusal
      const headers = { 'content-type': 'application/json', 'x-stack-known-error': code }
      return new Response(JSON.stringify({ code, error: code }), { status: 400, headers })
    },
    ...(as && { tokens: await world.tokensOf(as) }),
  })
  if (as) await settled(app.selectTeam({ teamId }))
  const wait = () => pass(10_000)
  return {
    ...world,
    app,
    owner: newApp({ tokens: await world.tokensOf(ada) }),
    wait,
    async open(path: string, millis = 10_000) {
      history.replaceState(null, '', `/handler/${path}`)
      clearToasts()
      show(
        <Screen>
          <Switch>
            {Object.entries(pages).map(([name, Page]) => (
              <Route key={name} path={`/handler/${name}/:section?`}>
                {({ section }) => <Page {...(section !== undefined && { section })} />}
              </Route>
            ))}
          </Switch>
          <Toasts />
        </Screen>,
        { app },
      )
      await pass(millis)
    },
    /** Presses the last one of that name: that of a dialog, if one is open. */
    async press(name: string, role = 'button') {
      fireEvent.click(screen.getAllByRole(role, { name, hidden: true }).at(-1)!)
      await wait()
    },
    /** Refuses requests to this path with this code, as the platform does. */
    refuse: (path: string, code: string) => void (refusal = [path, code]),
    /** Lets the requests fail until the returned function is called. */
    breaks: (route: string, delayMillis = 0) => platform.faults.every(route, { status: 500, delayMillis }),
  }
}

const shown = () => document.body.textContent
const problems = () => screen.queryAllByRole('alert', { hidden: true }).map(({ textContent }) => textContent)
const broken = expect.stringMatching(/^Something went wrong/)
const rows = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent)

describe('each list', () => {
  it.each([
    ['team', 'GET /team-member-profiles', 'Members: loading', 'Grace'],
    ['team', 'GET /team-invitations', 'Invitations: loading', 'There are no open invitations.'],
    ['team/api-keys', 'GET /team-api-keys', 'Keys: loading', 'No keys yet.'],
    ['account-settings/api-keys', 'GET /user-api-keys', 'Keys: loading', 'No keys yet.'],
    [
      'account-settings/notifications',
      'GET /emails/notification-preference/{userId}',
      'Notifications: loading',
      'Marketing',
    ],
    ['account-settings/emails', 'GET /contact-channels', 'E-mail addresses: loading', ada.email],
    ['account-settings/sessions', 'GET /auth/sessions', 'Sessions: loading', 'This device'],
    ['sign-in', 'GET /projects/current', 'Loading', 'E-mail address'],
  ])(
    'says that it loads, that it has failed, and is there when asked again: %s, %s',
    async (path, route, loading, text) => {
      const { open, press, breaks, wait } = await project(keys, path === 'sign-in' ? null : ada)
      const mend = breaks(route, 5000)
      await open(path, 4000)
      screen.getByRole('status', { name: loading })
      await wait()
      expect(problems()).toEqual([broken])
      mend()
      await press('Try again')
      expect([problems(), shown()]).toEqual([[], expect.stringContaining(text)])
    },
  )

  it('that the platform refuses is forbidden, even with data from before', async () => {
    const { open, wait, app, refuse } = await project({})
    await open('team')
    expect(rows()).toContainEqual(expect.stringContaining('Grace'))
    refuse('/team-member-profiles', 'TEAM_PERMISSION_REQUIRED')
    void app
      .teamMembers$({ teamId })
      .refresh()
      .catch(() => undefined)
    await wait()
    expect([rows(), shown()]).toEqual([
      expect.not.arrayContaining([expect.stringContaining('Grace')]),
      expect.stringContaining('You do not have permission to see this.'),
    ])
  })

  it('of keys of a team is forbidden to a member from whom the platform hides them', async () => {
    const { open, refuse } = await project(keys)
    refuse('/team-api-keys', 'API_KEY_NOT_FOUND')
    await open('team/api-keys')
    expect(shown()).toContain('You do not have permission to see this.')
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  })
})

it.each([
  ['account-settings/api-keys', 'There are no API keys here. (allowUserApiKeys is off.)'],
  ['team/api-keys', 'There are no API keys here. (allowTeamApiKeys is off.)'],
  ['team', 'New teams cannot be created here. (clientTeamCreationEnabled is off.)'],
])('a page says which setting has switched it off: %s', async (path, text) => {
  const { open, app, settled } = await project({})
  if (path === 'team') await settled(app.selectTeam({ teamId: null }))
  await open(path)
  expect(shown()).toContain(text)
  expect(screen.queryByRole('button', { name: /^Create/ })).toBeNull()
})

describe('a change that fails', () => {
  it('of the name takes the name back, and keeps what was typed', async () => {
    const { open, press, breaks, app } = await project({})
    await open('account-settings')
    breaks('PATCH /users/me')
    fireEvent.change(screen.getByRole('textbox', { name: 'Display name' }), { target: { value: 'Renamed' } })
    await press('Save')
    expect(problems()).toEqual([broken])
    expect(screen.getByRole('textbox', { name: 'Display name' })).toHaveProperty('value', 'Renamed')
    expect((await app.user$.get())?.displayName).toBe('Ada')
  })

  it('of a notification goes back', async () => {
    const { open, press, breaks } = await project({})
    await open('account-settings/notifications')
    breaks('PATCH /emails/notification-preference/{userId}/{notificationCategoryId}')
    await press('Marketing', 'switch')
    expect(problems()).toEqual([broken])
    expect(screen.getByRole('switch', { name: 'Marketing' })).toHaveProperty('checked', true)
  })

  it('of a team keeps the member who could not be removed, and the team that could not be left', async () => {
    const { open, press, breaks } = await project({})
    breaks('DELETE /team-memberships/{teamId}/{userId}')
    await open('team')
    fireEvent(screen.getByRole('menu', { hidden: true }), Object.assign(new Event('toggle'), { newState: 'open' }))
    await press('Remove from the team', 'menuitem')
    await press('Remove member')
    expect([problems(), rows()]).toEqual([[broken], expect.arrayContaining([expect.stringContaining('Grace')])])
    cleanup()
    await open('team/danger-zone')
    await press('Leave team')
    await press('Leave team')
    expect(problems()).toEqual([broken])
    screen.getByRole('heading', { name: 'Leave or delete' })
  })
})

describe('the link of a mail', () => {
  it.each([
    ['team-invitation', 'This link is incomplete.'],
    [`team-invitation?code=${'0'.repeat(45)}`, 'This invitation is not valid'],
    ['magic-link-callback', 'This link is incomplete.'],
    ['email-verification', 'This link is incomplete.'],
    ['mfa', 'There is no sign-in to continue in this tab.'],
    ['oauth-callback?code=abc&state=never', 'does not belong to a sign-in that was started in this browser'],
  ])('that ends nothing says so, with a way on: %s', async (path, text) => {
    const { open } = await project({}, null)
    await open(path)
    expect(problems()).toEqual([expect.stringContaining(text)])
    expect(
      screen.getByRole('link', { name: /^(Sign in|Sign in again|Ask for a new e-mail|Go to your teams)$/ }),
    ).toBeTruthy()
  })

  it('verifies an address once', async () => {
    const { open, press, app, platform, settled } = await project({})
    await settled(app.sendVerificationEmail())
    const { search } = new URL((await platform.mailbox(ada.email).next()).links[0]!)
    for (const text of ['Your e-mail address is verified', 'This link has been used already.']) {
      await open(`email-verification${search}`)
      await press('Verify e-mail address')
      expect(shown()).toContain(text)
      cleanup()
    }
  })

  it('of an invitation leads a user into the team once, after another try, and not when it has expired', async () => {
    const { open, press, breaks, app, owner, platform, settled, clock } = await project({}, grace)
    await settled(app.leaveTeam({ teamId }))
    const callbackUrl = `${location.origin}/handler/team-invitation`
    const invite = async () => {
      await settled(owner.sendTeamInvitation({ teamId, email: grace.email, callbackUrl }))
      return new URL((await platform.mailbox(grace.email).next()).links[0]!).search
    }
    const [first, second] = [await invite(), await invite()]
    const mend = breaks('POST /team-invitations/accept/details')
    await open(`team-invitation${first}`)
    expect(problems()).toEqual([broken])
    mend()
    await press('Try again')
    screen.getByRole('heading', { name: 'Join Ops' })
    await press('Join the team')
    expect(shown()).toContain('You are now in the team Ops.')
    for (const [search, text] of [
      [first, 'This invitation has been used already. If it was you, the team is among yours.'],
      [second, 'This invitation has expired. Ask for a new one.'],
    ] as const) {
      if (search === second) await clock.advance(31 * 24 * 3_600_000)
      cleanup()
      await open(`team-invitation${search}`)
      expect(problems()).toEqual([text])
    }
  })
})
