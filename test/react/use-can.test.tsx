import { act, screen } from '@testing-library/react'
import { useCan, useUser } from 'rxauth/react'
import { ada, grace } from '../world'
import { reactWorld } from './harness'

const teamId = 'b0c1d2e3-1111-4222-8333-444455556666'
const team = { id: teamId, displayName: 'Ops', members: [{ email: ada.email, permissions: ['team_admin'] }] }
const seed = { users: [ada, grace], teams: [team], permissions: [{ id: 'publish', scope: 'project' as const }] }

function Buttons() {
  const rename = useCan({ permissionId: '$update_team', teamId })
  const invite = useCan({ permissionId: '$invite_members', teamId })
  const publish = useCan({ permissionId: 'publish' })
  return <p>{[rename, invite, publish].map(String).join(' ')}</p>
}

describe('useCan', () => {
  it('does not know, and then knows, with one request for each list', async () => {
    const { show, pass, requests } = await reactWorld({ platform: { seed } })
    show(<Buttons />, { strict: true })
    expect(screen.getByText('undefined undefined undefined')).toBeTruthy()
    await pass(0)
    expect(screen.getByText('true true false')).toBeTruthy()
    expect(requests).toEqual(['GET /team-permissions', 'GET /project-permissions'])
  })

  it('renders nothing for a reload with the same answer, and once for another answer', async () => {
    const { app, inTime, pass, settled, show } = await reactWorld({ platform: { seed } })
    const check = { permissionId: '$update_team', teamId }
    let renders = 0
    function Counted() {
      renders++
      return <p>{String(useCan(check))}</p>
    }
    show(<Counted />)
    await pass(0)
    renders = 0
    await act(() => inTime(app.can$(check).refresh()))
    expect(screen.getByText('true')).toBeTruthy()
    expect(renders).toBe(0)
    await act(() => settled(app.signOut()))
    expect(screen.getByText('false')).toBeTruthy()
    expect(renders).toBe(1)
  })

  it('waits for a team that is not known yet', async () => {
    function InSelectedTeam() {
      const id = useUser()?.selectedTeamId
      return <p>{String(useCan(id ? { permissionId: '$update_team', teamId: id } : null))}</p>
    }
    const { app, inTime, show, pass } = await reactWorld({ platform: { seed } })
    show(<InSelectedTeam />)
    await pass(0)
    expect(screen.getByText('undefined')).toBeTruthy()
    const selected = inTime(app.selectTeam({ teamId }))
    await pass(1000)
    await selected
    expect(screen.getByText('true')).toBeTruthy()
  })
})
