import { fireEvent, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { query, sessions$, teamMembers$ } from 'rxauth'
import { useValue, useApp } from 'rxauth/react'
import { DangerZone } from '../../react/example/settings/danger-zone/danger-zone'
import { Sessions } from '../../react/example/settings/sessions/sessions'
import { OwnBackendProvider, type MemberRole, type OwnBackend } from '../../react/example/shell/own-backend'
import { TeamMembers } from '../../react/example/teams/members/team-members'
import { reactWorld } from '../react/harness'
import { ada, grace } from '../world'

// What a browser has and jsdom lacks.
beforeAll(() => {
  Object.assign(HTMLDialogElement.prototype, { showModal: () => undefined, close: () => undefined })
  Object.assign(HTMLElement.prototype, { hidePopover: () => undefined, checkVisibility: () => true })
})

const teamId = '6c1d4d4e-6a0b-4d0a-9f0e-5c1b7f1b7a10'

/** Shows a part of the screens to Ada, the admin of a team with Grace in it. */
async function screens(children: ReactNode, backend?: OwnBackend, config = {}) {
  const opened: string[] = []
  const world = await reactWorld({
    app: { navigate: url => void opened.push(new URL(url, location.href).pathname) },
    platform: {
      seed: {
        project: { config },
        users: [{ ...ada, sessions: [{ lastUsedFrom: { ip: '203.0.113.7', cityName: 'Zurich' } }] }, grace],
        teams: [
          {
            id: teamId,
            displayName: 'Ops',
            members: [{ ...ada, permissions: ['team_admin'] }, { email: grace.email }],
          },
        ],
      },
    },
  })
  world.show(backend ? <OwnBackendProvider value={backend}>{children}</OwnBackendProvider> : children)
  const wait = () => world.pass(10_000)
  await wait()
  return { ...world, opened, wait }
}

function Members(): ReactNode {
  const team = useValue(useApp().teams$).find(({ id }) => id === teamId)
  return team && <TeamMembers team={team} />
}

const rows = () => screen.getAllByRole('listitem').map(row => row.textContent.replace(/Actions for .*/, ''))
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name, hidden: true }))

/** Opens the menu of Grace, and returns what it offers. */
function actions(): string[] {
  const menu = screen.getByRole('menu', { hidden: true })
  fireEvent(menu, Object.assign(new Event('toggle'), { newState: 'open' }))
  return screen.getAllByRole('menuitem', { hidden: true }).map(({ textContent }) => textContent)
}

describe('sessions', () => {
  it('are those of the platform: this one by its browser, another one by its place', async () => {
    await screens(<Sessions />)
    const [here, other] = [/^Another deviceThis deviceLast used /, /^Zurich \(203\.0\.113\.7\)Last used .*Sign out$/]
    expect(rows().sort()).toEqual([expect.stringMatching(here), expect.stringMatching(other)])
  })

  it('have the browser that a backend has seen', async () => {
    const devices = query(
      async kit => Object.fromEntries((await sessions$(kit).get()).map(({ id }) => [id, 'Firefox/140 Android'])),
      { key: 'devices', ownedBy: 'session', signedOut: {} },
    )
    await screens(<Sessions />, { devices })
    expect(rows()).toEqual([expect.stringMatching(/^Firefox on Android/), expect.stringMatching(/^Firefox on Android/)])
  })
})

describe('members', () => {
  it('have no role without a backend, and can be removed', async () => {
    const { requests, wait } = await screens(<Members />)
    expect(rows()).toEqual(['AAdaYou', 'GGrace'])
    expect(actions()).toEqual(['Remove from the team'])
    fireEvent.click(screen.getByText('Remove from the team'))
    press('Remove member')
    await wait()
    expect(rows()).toEqual(['AAdaYou'])
    expect(requests).toContainEqual(expect.stringMatching(/^DELETE .*\/team-memberships\//))
  })

  it('have the role that a backend tells, and another one once it has changed it', async () => {
    const changed: object[] = []
    const of = query(
      async (kit, { teamId: id }: { teamId: string }) =>
        (await teamMembers$(kit, { teamId: id }).get()).map(({ userId, displayName }): MemberRole => ({
          userId,
          role: displayName === 'Ada' ? 'team_admin' : 'team_member',
        })),
      { key: 'roles', ownedBy: 'session', signedOut: [] },
    )
    const change = async (_: unknown, member: object) => void changed.push(member)
    const { wait } = await screens(<Members />, { roles: { of, change } })
    expect(rows()).toEqual(['AAdaYouAdmin', 'GGraceMember'])
    expect(actions()).toEqual(['Change role to Admin', 'Remove from the team'])
    fireEvent.click(screen.getByText('Change role to Admin'))
    await wait()
    expect(changed).toEqual([{ teamId, userId: expect.any(String), role: 'team_admin' }])
  })
})

describe('an account', () => {
  const remove = async (wait: () => Promise<void>) => {
    press('Delete account')
    await wait()
    fireEvent.change(screen.getByLabelText('Your password'), { target: { value: ada.password } })
    press('Delete account for good')
    await wait()
  }

  it('is deleted by the platform without a backend, after its user has confirmed', async () => {
    const { newApp, opened, settled, wait } = await screens(<DangerZone />, undefined, {
      clientUserDeletionEnabled: true,
    })
    await remove(wait)
    expect(opened).toContain('/')
    const { email, password } = ada
    expect(await settled(newApp().signInWithPassword({ email, password }))).toMatchObject({
      error: { code: 'EMAIL_PASSWORD_MISMATCH' },
    })
  })

  it('cannot be deleted where neither the platform nor a backend does it', async () => {
    await screens(<DangerZone />)
    expect(screen.getByRole('status').textContent).toMatch(/^Accounts cannot be deleted here\./)
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('is deleted by a backend with the confirmation', async () => {
    const asked: string[] = []
    const { wait } = await screens(<DangerZone />, {
      deleteAccount: async (_, { confirmation }) => void asked.push(confirmation),
    })
    await remove(wait)
    expect(asked).toEqual([expect.stringMatching(/^eyJ/)])
  })
})
