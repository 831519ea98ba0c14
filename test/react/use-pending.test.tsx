import { screen } from '@testing-library/react'
import { teamMembers$, type Store } from 'rxauth'
import { usePending } from 'rxauth/react'
import { opsId, labId } from '../entities/teams/team-world'
import { ada } from '../world'
import { reactWorld } from './harness'

function Tells({ store }: { readonly store: Store<unknown> | null }) {
  return <p>{usePending(store) ? 'loading' : 'known'}</p>
}

const teams = [
  { id: opsId, displayName: 'Ops', members: [ada] },
  { id: labId, displayName: 'Lab', members: [ada] },
]

describe('usePending', () => {
  it('is true until there is a value, and not while that is refreshed', async () => {
    const { app, platform, show, pass } = await reactWorld()
    show(<Tells store={app.user$} />)
    expect(screen.getByText('loading')).toBeTruthy()
    await pass(0)
    expect(screen.getByText('known')).toBeTruthy()
    platform.faults.next('GET /users/me', { delayMillis: 1_000 })
    await pass(300)
    const refreshed = app.user$.refresh()
    await pass(500)
    expect(screen.getByText('known')).toBeTruthy()
    await pass(500)
    await refreshed
  })

  it('is true while a derived store shows its last value', async () => {
    const { app, platform, show, pass } = await reactWorld({ platform: { seed: { users: [ada], teams } } })
    const members$ = app.derive(read => {
      const selected = read(app.user$)?.selectedTeamId
      return selected ? read(teamMembers$(app, { teamId: selected })) : []
    })
    show(<Tells store={members$} />)
    await pass(0)
    expect(screen.getByText('known')).toBeTruthy()
    platform.faults.next('GET /team-member-profiles', { delayMillis: 1_000 })
    const selected = app.selectTeam({ teamId: labId })
    await pass(500)
    expect(screen.getByText('loading')).toBeTruthy()
    await pass(500)
    expect(screen.getByText('known')).toBeTruthy()
    await selected
  })

  it('is false without a store, and after a failure', async () => {
    const { app, platform, show, pass } = await reactWorld()
    platform.faults.every('GET /users/me', { body: 'truncated' })
    show([<Tells key="none" store={null} />, <Tells key="user" store={app.user$} />])
    expect(screen.getByText('known')).toBeTruthy()
    await pass(0)
    expect(screen.getAllByText('known')).toHaveLength(2)
  })
})
