import { signUp } from './mail-world'
import { wireWorld } from '../wire-world'

describe('mail$', () => {
  it('emits every mail when it is sent', async () => {
    const world = wireWorld()
    const seen: string[] = []
    world.platform.mail$.subscribe({ next: ({ to }) => seen.push(to) })
    await signUp(world, 'grace@example.com')
    await signUp(world, 'hopper@example.com')
    expect(seen).toEqual(['grace@example.com', 'hopper@example.com'])
  })
})
