// The cost of an update in 1,000 components, compared with a bare useSyncExternalStore over a Set of callbacks.
import { createRequire } from 'node:module'
import { atom, createStore } from 'jotai/vanilla'
import { selectAtom } from 'jotai/vanilla/utils'
import { Suspense, useSyncExternalStore, type ComponentType } from 'react'
import { anyUser$, createClientApp, mutation, patch, query, systemClock, type ClientApp } from 'rxauth'
import { createPlatform } from 'rxauth/platform'
import { AuthProvider, useAuth, useSelect, useStore, useUser, useValue } from 'rxauth/react'
import { compareInTurn } from './measure'

const many = 1000

// The tests' copy, since rxauth does not depend on it by name.
const require = createRequire(import.meta.url)
const { JSDOM } = createRequire(require.resolve('jest-environment-jsdom'))('jsdom') as {
  readonly JSDOM: new (html: string) => { readonly window: object }
}
const { window } = new JSDOM('')
Object.assign(globalThis, { window, document: Reflect.get(window, 'document') as unknown })
// It looks for a DOM when it is loaded.
const { flushSync } = await import('react-dom')
const { createRoot } = await import('react-dom/client')
const { useAtomValue } = await import('jotai/react')

/** Mounts the component 1,000 times, and keeps it mounted. */
function mount(Component: ComponentType, app: ClientApp): void {
  const all = Array.from({ length: many }, (_, index) => <Component key={index} />)
  const root = createRoot(Reflect.get(document, 'body').appendChild(document.createElement('div')))
  flushSync(() => {
    root.render(
      <AuthProvider app={app}>
        <Suspense fallback={null}>{all}</Suspense>
      </AuthProvider>,
    )
  })
}

let renders = 0
let value = 0

/** A case: an update that 1,000 components see. */
async function measured(name: string, Component: ComponentType, update: (value: number) => unknown, shown = app) {
  mount(Component, shown)
  const run = async () => {
    await update(++value)
    flushSync(() => undefined)
  }
  await run()
  renders = 0
  await run()
  if (renders !== many) throw new Error(`an update renders ${renders} components of ${many} with ${name}`)
  return [name, run] as const
}

// React runs in production mode; the local platform does not run there.
process.env['NODE_ENV'] = 'test'
const platform = createPlatform({ seed: { users: [{ email: 'ada@example.com', displayName: 'Ada' }] } })
// Stopped, so that no value is loaded again while it is measured.
const [now, monotonic] = [systemClock.now(), systemClock.monotonic()]
const clock = { ...systemClock, now: () => now, monotonic: () => monotonic }
const newApp = async () =>
  createClientApp({ ...platform.options, clock, tokens: await platform.tokensFor('ada@example.com') })
const app = await newApp()
// useUser shows one user, useAuth another one.
const other = await newApp()

/** A store as an app would write it by hand. */
function bare() {
  const callbacks = new Set<() => void>()
  let held = 0
  return {
    listen(callback: () => void) {
      callbacks.add(callback)
      return () => void callbacks.delete(callback)
    },
    read: () => held,
    set(next: number) {
      held = next
      for (const callback of callbacks) callback()
    },
  }
}

/** A store of the kit, and a function that sets it. */
async function counter(key: string) {
  const counter$ = query(() => Promise.resolve({ count: 0, even: true }), { key, ownedBy: 'app' })
  const set = mutation((_kit, { value }: { readonly value: number }) => Promise.resolve(value), {
    refreshes: () => [],
    writes: (_input, value) => [patch(counter$, {}, () => ({ count: value, even: value % 2 === 0 }))],
  })
  const store = counter$(app)
  await store.get()
  return { store, set: (value: number) => set(app, { value }) }
}

const rename = mutation((_kit, { name }: { readonly name: string }) => Promise.resolve(name), {
  refreshes: () => [],
  writes: (_input, name) => [patch(anyUser$, {}, user => user && { ...user, displayName: name })],
})
await Promise.all([app.user$.get(), other.user$.get()])

const [one, two, three] = [bare(), bare(), bare()]
const snapshot = await counter('snapshot')
const whole = await counter('whole')
const part = await counter('part')
const inline = await counter('inline')
const show = (seen: string | number | null | undefined) => {
  renders++
  return <li>{seen}</li>
}
const select = ({ count }: { readonly count: number }) => count

const cases = [
  await measured('a bare useSyncExternalStore', () => show(useSyncExternalStore(one.listen, one.read)), one.set),
  await measured(
    'useStore',
    () => {
      const seen = useStore(snapshot.store)
      return show(seen.status === 'ready' ? seen.value.count : seen.status)
    },
    snapshot.set,
  ),
  await measured('useValue', () => show(useValue(whole.store).count), whole.set),
  await measured(
    'useUser',
    () => show(useUser()?.displayName),
    value => rename(app, { name: `Ada ${value}` }),
  ),
  await measured(
    'useAuth',
    () => {
      const auth = useAuth()
      return show(auth.status === 'signed-in' ? auth.user.displayName : auth.status)
    },
    value => rename(other, { name: `Ada ${value}` }),
    other,
  ),
  await measured('useSelect', () => show(useSelect(part.store, select)), part.set),
  await measured('a second bare one', () => show(useSyncExternalStore(two.listen, two.read)), two.set),
  await measured(
    'useSelect, a selector made while rendering',
    () => show(useSelect(inline.store, value => value.count)),
    inline.set,
  ),
]
const targets: Readonly<Record<string, number>> = { useValue: 1.2, useUser: 1.2, useAuth: 1.5, useSelect: 1.5 }
await compareInTurn(
  `an update that ${many} components show`,
  cases.map(([name, run]) => [name, run, targets[name]]),
)

const atoms = createStore()
const wholeAtom = atom({ count: 0, even: true })
const partAtom = selectAtom(wholeAtom, select)
const [alone, made] = [await counter('alone'), await counter('made')]
/** Renders nothing, so that the hook is what costs. */
const hide = (_seen: number) => {
  renders++
  return null
}
const hooks = [
  await measured('a bare useSyncExternalStore', () => hide(useSyncExternalStore(three.listen, three.read)), three.set),
  await measured(
    'a selected atom of jotai',
    () => hide(useAtomValue(partAtom, { store: atoms })),
    // Without it, React renders when the measuring has ended.
    value => flushSync(() => atoms.set(wholeAtom, { count: value, even: value % 2 === 0 })),
  ),
  await measured('useSelect', () => hide(useSelect(alone.store, select)), alone.set),
  await measured(
    'useSelect, a selector made while rendering',
    () => hide(useSelect(made.store, value => value.count)),
    made.set,
  ),
]
await compareInTurn(
  `an update that ${many} components select a part of`,
  // With a new selector React takes up a new function to read by in every render, as it does with a bare hook.
  hooks.map(([name, run]) => [name, run, { useSelect: 2, 'useSelect, a selector made while rendering': 2.5 }[name]]),
)

app.dispose()
other.dispose()
