import { computed, createEnvironmentInjector, runInInjectionContext } from '@angular/core'
import { toSignal } from '@angular/core/rxjs-interop'
import type { ClientApp, Snapshot, Store, TeamMember } from 'rxauth'
import { EMPTY, switchMap } from 'rxjs'
import type { Observable } from 'rxjs'
import { derived, get } from 'svelte/store'
import type { Readable } from 'svelte/store'
import { computed as computedRef, effectScope, onScopeDispose, shallowRef, watch } from 'vue'
import { runs } from '../runs'
import { known, switchTeams, twelveTeams } from '../switch-world'

type Members = Snapshot<TeamMember[]> | undefined

const selectedIn = (app: ClientApp) => app.derive(read => read(app.user$)?.selectedTeamId ?? null)
const idOf = (selected: Snapshot<string | null> | undefined) => (selected?.status === 'ready' ? selected.value : null)

/** One derived store of the team and its members. */
const screenOf = (app: ClientApp) =>
  app.derive(read => {
    const selected = read(app.user$)?.selectedTeamId ?? null
    return { selected, members: selected === null ? [] : read(app.teamMembers$({ teamId: selected })) }
  })

function textOf(selected: string | null, members: Members): string {
  if (selected === null || members?.status !== 'ready') return 'loading'
  if (members.value.some(member => member.teamId !== selected)) return 'mixed'
  return `Team ${Number(selected.slice(-12))}: ${members.value.length} members`
}

const textOfOne = (shown: Snapshot<{ selected: string | null; members: TeamMember[] }> | undefined) =>
  shown?.status === 'ready' ? textOf(shown.value.selected, { ...shown, value: shown.value.members }) : 'loading'

/** An observable by the types of Svelte, whose store contract it follows. */
const readable = <T>(values$: Observable<T>): Readable<T> => ({
  subscribe(run) {
    const subscription = values$.subscribe(run)
    return () => subscription.unsubscribe()
  },
})

interface Bound {
  /** The text of one derived store, and that of two stores of which the second depends on the first. */
  readonly one: () => string
  readonly two: () => string
  stop(): void
}

/** What a component of each framework does with the stores. */
const frameworks: Readonly<Record<string, (app: ClientApp) => Bound>> = {
  Angular(app) {
    const injector = createEnvironmentInjector([], null as never)
    // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- the class of Angular's own injector
    return runInInjectionContext(injector, () => {
      const screen = toSignal(screenOf(app).snapshot$, { requireSync: true })
      const selected$ = selectedIn(app).snapshot$
      const selected = toSignal(selected$, { requireSync: true })
      const members$ = selected$.pipe(
        switchMap(snapshot => {
          const id = idOf(snapshot)
          return id === null ? EMPTY : app.teamMembers$({ teamId: id }).snapshot$
        }),
      )
      const members = toSignal<Members>(members$)
      return {
        one: computed((): string => textOfOne(screen())),
        two: computed(() => textOf(idOf(selected()), members())),
        stop: () => injector.destroy(),
      }
    })
  },

  Svelte(app) {
    const selected = readable(selectedIn(app).snapshot$)
    const members = derived<typeof selected, Members>(selected, ($selected, set) => {
      const id = idOf($selected)
      const following = id === null ? undefined : app.teamMembers$({ teamId: id }).snapshot$.subscribe(set)
      return () => following?.unsubscribe()
    })
    const one = derived(readable(screenOf(app).snapshot$), textOfOne)
    const two = derived([selected, members], ([$selected, $members]) => textOf(idOf($selected), $members))
    const stops = [one.subscribe(() => undefined), two.subscribe(() => undefined)]
    return {
      one: () => get(one),
      two: () => get(two),
      stop: () => stops.forEach(stop => stop()),
    }
  },

  Vue(app) {
    const scope = effectScope()
    const bound = scope.run(() => {
      function useStore<T>(store: Store<T>) {
        const snapshot = shallowRef(store.snapshot)
        onScopeDispose(
          store.listen(() => {
            snapshot.value = store.snapshot
          }),
        )
        return snapshot
      }
      const screen = useStore(screenOf(app))
      const selected = useStore(selectedIn(app))
      const members = shallowRef<Members>()
      watch(
        () => idOf(selected.value),
        (id, _, onCleanup) => {
          if (id === null) return
          const store = app.teamMembers$({ teamId: id })
          onCleanup(store.listen(() => (members.value = store.snapshot)))
          members.value = store.snapshot
        },
        { immediate: true, flush: 'sync' },
      )
      const one = computedRef(() => textOfOne(screen.value))
      const two = computedRef(() => textOf(idOf(selected.value), members.value))
      return { one: () => one.value, two: () => two.value }
    })!
    return { ...bound, stop: () => scope.stop() }
  },
}

describe.each(Object.entries(frameworks))('a screen of the selected team in %s', (_name, bind) => {
  // Promise: select-team
  it.each(['one store', 'two stores'] as const)('shows a team at every moment, and never two: %s', async shape => {
    const { app, clock, ...rest } = await twelveTeams()
    const { stop, ...texts } = bind(app)
    await clock.advance(10_000)
    const wrong = new Set<string>()
    const look = (done?: number) => {
      const text = texts[shape === 'one store' ? 'one' : 'two']()
      if (!known.test(text)) wrong.add(text)
      if (done !== undefined && text !== `Team ${done}: 1 members`) wrong.add(`${text} in place of Team ${done}`)
    }
    // Frameworks render after the present task's changes.
    const everyChange = [app.user$.listen(frame), app.teams$.listen(frame)]
    function frame() {
      void Promise.resolve().then(() => look())
    }
    await switchTeams({
      ...rest,
      app,
      look,
      pass: millis => clock.advance(millis),
      select: id => app.selectTeam({ teamId: id }),
      times: runs(42, 500),
    })
    for (const end of [...everyChange, stop]) end()
    expect([...wrong]).toEqual([])
    expect(app.inspect().subscriptions).toBe(0)
  })
})
