import * as fc from 'fast-check'

/** The events of a kit, its users and its server. */
export type Step =
  | { readonly do: 'subscribe' | 'unsubscribe' | 'get' | 'refresh' | 'leave'; readonly who: number }
  | { readonly do: 'write' }
  | { readonly do: 'reach'; readonly which: number }
  | { readonly do: 'answer read' | 'fail read' }
  | { readonly do: 'answer write' | 'refuse write' | 'lose write'; readonly which: number }
  | { readonly do: 'sign out' }
  | { readonly do: 'sign in'; readonly as: string }
  | { readonly do: 'wait'; readonly millis: number }

export const people = ['ada', 'grace']
const who = fc.nat({ max: 3 })
const which = fc.nat({ max: 3 })

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('subscribe' as const), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('unsubscribe' as const, 'get', 'refresh', 'leave'), who }) },
  { weight: 4, arbitrary: fc.constant({ do: 'write' as const }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('reach' as const), which }) },
  { weight: 5, arbitrary: fc.constant({ do: 'answer read' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'fail read' as const }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('answer write' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('refuse write' as const, 'lose write'), which }) },
  { weight: 1, arbitrary: fc.constant({ do: 'sign out' as const }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('sign in' as const), as: fc.constantFrom(...people) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), millis: fc.constantFrom(1, 299, 300, 5000) }) },
)
