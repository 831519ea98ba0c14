import { screen } from '@testing-library/react'
import { inspect } from 'rxauth'
import { useAuth, useFlow } from 'rxauth/react'
import { reactWorld } from './harness'

const Status = () => <p>{useAuth().status}</p>
const Step = () => <i>{useFlow().status}</i>

describe('the session and the flow', () => {
  // Promise: shared-subscription
  it.each([false, true])('are subscribed to once for 50 components each (StrictMode: %s)', async strict => {
    const { app, show, pass } = await reactWorld()
    const [auths, flows] = [jest.spyOn(app.auth$, 'subscribe'), jest.spyOn(app.flow$, 'subscribe')]
    show(
      Array.from({ length: 50 }, (_, index) => [<Status key={index} />, <Step key={`step ${index}`} />]),
      { strict },
    )
    await pass(0)
    expect(screen.getAllByText('signed-in')).toHaveLength(50)
    // StrictMode mounts, unmounts and mounts the page.
    expect([auths, flows].map(({ mock }) => mock.calls.length)).toEqual(strict ? [2, 2] : [1, 1])
  })

  it('are told to a component that stays when another leaves, and to one that mounts after all have left', async () => {
    const { app, show, pass } = await reactWorld()
    const page = show([<Status key="a" />, <Status key="b" />])
    await pass(0)
    page.unmount()
    const again = show([<Status key="a" />, <Status key="b" />])
    await pass(0)
    expect(screen.getAllByText('signed-in')).toHaveLength(2)
    again.unmount()
    const two = show([<Status key="a" />])
    show([<Status key="b" />])
    two.unmount()
    void app.signOut()
    await pass(0)
    expect(screen.getAllByText('signed-out')).toHaveLength(1)
  })

  // Promise: shared-subscription
  it('have no subscription once the last component has gone', async () => {
    const { app, show, pass } = await reactWorld()
    const page = show([<Status key="a" />, <Status key="b" />, <Step key="c" />])
    await pass(0)
    // Of the session by both, and of the user.
    expect(inspect(app).subscriptions).toBe(3)
    page.unmount()
    expect(inspect(app).subscriptions).toBe(0)
  })
})
