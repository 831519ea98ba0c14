import { clientWrites } from '../client-writes'
import { world } from '../world'

const writes = clientWrites().filter(({ ownedBy }) => ownedBy === 'session')

/** It looks at the project first, which has projects of its own only if it is the platform's internal one. */
const others: Readonly<Record<string, string>> = {
  createOwnedProject: 'EXPECTED_INTERNAL_PROJECT',
  transferOwnedProject: 'EXPECTED_INTERNAL_PROJECT',
}

describe('while signed out, a write of the user', () => {
  it('is one of those that a session owns', () => {
    expect(writes.map(({ name }) => name)).toEqual(expect.arrayContaining(['updateUser', 'deleteUser', 'createTeam']))
  })

  it.each(writes)('is refused without a request: $name', async ({ name, call }) => {
    const { newApp, settled, requests } = await world()
    const app = newApp()
    await expect(settled(call(app))).rejects.toMatchObject({ code: others[name] ?? 'USER_AUTHENTICATION_REQUIRED' })
    expect(app.auth$.value.status).toBe('signed-out')
    expect(requests).toEqual([])
  })
})
