// The interface of the local platform's settings is written by hand, for its docstrings: it has each setting of the tree.
import type { ProjectConfig } from 'rxauth/platform'
import type { config } from '../../src/entities/config/shape'
import type { Flat } from '../../src/entities/config/shape-derive'
import type { Equal, Expect } from './equal'

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T

/** Settings that the hosted platform does not have. */
interface Local {
  readonly anonymousSignUpEnabled: boolean
  readonly botChallengeToken: string | null
}

export type Cases = [Expect<Equal<Frozen<ProjectConfig>, Frozen<Flat<typeof config> & Local>>>]
