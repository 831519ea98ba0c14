// Compiled, never run: `for await` in a caller's code.
import type { Auth, ClientApp, CurrentUser, State, Store, valuesOf } from 'rxauth'
import type { Equal, Expect } from './equal'

type Each<T> = T extends AsyncIterable<infer V> ? V : never

export type Pinned = [
  Expect<Equal<Each<ClientApp['user$']>, CurrentUser | null>>,
  Expect<Equal<Each<ClientApp['auth$']>, Auth>>,
  Expect<Equal<Each<Store<readonly string[]>>, readonly string[]>>,
  Expect<Equal<Each<State<number>>, number>>,
  Expect<Equal<ReturnType<typeof valuesOf<string>>, AsyncIterableIterator<string>>>,
]
