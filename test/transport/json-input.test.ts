import { isAuthError } from 'rxauth'
import { ada, world } from '../world'

const cycle: Record<string, unknown> = {}
cycle['self'] = cycle

describe('a value that JSON does not have', () => {
  // Promise: json-input
  it.each<[string, unknown]>([
    ['a cycle', cycle],
    ['a bigint', { count: 1n }],
    ['a function', () => 'text'],
    ['a symbol', Symbol('text')],
    [
      'an object that cannot be written',
      {
        toJSON() {
          throw new Error('no')
        },
      },
    ],
  ])('is INVALID_INPUT with its field, before anything is shown or sent: %s', async (_, clientMetadata) => {
    const { app, settled, clock, requests } = await world()
    const shown: unknown[] = []
    app.user$.subscribe(user => shown.push(user?.clientMetadata))
    await clock.advance(1000)
    requests.length = 0
    const error = await settled(app.updateUser({ clientMetadata }).catch((thrown: unknown) => thrown))
    expect(isAuthError(error, 'INVALID_INPUT') && error.details.field).toBe('clientMetadata')
    await clock.advance(1000)
    expect(requests).toEqual([])
    expect(shown).toHaveLength(1)
  })

  it('may be left out: undefined, also deep in an object', async () => {
    const { app, settled } = await world()
    await settled(app.updateUser({ displayName: 'Countess', clientMetadata: { theme: undefined, size: 1 } }))
    const user = await settled(app.user$.get())
    expect([user?.displayName, user?.clientMetadata, user?.primaryEmail]).toEqual(['Countess', { size: 1 }, ada.email])
  })
})
