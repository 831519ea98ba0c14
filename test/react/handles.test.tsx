import { screen } from '@testing-library/react'
import { query, type Store } from 'rxauth'
import { useApp, useStore } from 'rxauth/react'
import { KitStore } from '../../src/store/store'
import { reactWorld } from './harness'

const note$ = query((_kit, { id }: { readonly id: string }) => Promise.resolve(`note ${id}`), {
  key: 'note',
  ownedBy: 'app',
})

/** The stores that components called `name` have rendered. */
const rendered = new Map<string, Store<string>[]>()

function Note({ name }: { readonly name: string }) {
  const store = note$(useApp(), { id: 'a' })
  rendered.set(name, [...(rendered.get(name) ?? []), store])
  const snapshot = useStore(store)
  return (
    <p>
      {name} {snapshot.status === 'ready' ? snapshot.value : snapshot.status}
    </p>
  )
}

// Promise: same-store-object
it.each([false, true])(
  'two components that render before they mount settle on one store (StrictMode: %s)',
  async strict => {
    rendered.clear()
    const { app, show, pass } = await reactWorld()
    const listen = jest.spyOn(KitStore.prototype, 'listen')
    show(
      <>
        <Note name="one" />
        <Note name="two" />
      </>,
      { strict },
    )
    await pass(0)
    expect(screen.getByText('one note a')).toBeTruthy()
    expect(screen.getByText('two note a')).toBeTruthy()
    const last = [...rendered.values()].map(stores => stores.at(-1))
    expect(last[0]).toBe(note$(app, { id: 'a' }))
    expect(last[1]).toBe(last[0])
    await pass(60_000)
    expect([...rendered.values()].map(stores => stores.at(-1))).toEqual(last)
    // StrictMode mounts each a second time.
    expect(listen.mock.calls.length).toBeLessThanOrEqual(strict ? 5 : 3)
    listen.mockRestore()
  },
)
