import * as v from 'valibot'
import { isRecord } from '../../core/values'
import { patternOf } from '../http/router'
import type { Address } from '../http/router'
import type { FaultPlan } from '../test-tools/faults'
import { json, refused, Refused } from './answers'
import type { Routes } from './answers'

const fault = v.strictObject({
  status: v.optional(v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599))),
  delayMillis: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(600_000))),
  retryAfter: v.optional(v.pipe(v.string(), v.regex(/^[\x20-\x7e]{1,100}$/))),
  loseResponse: v.optional(v.boolean()),
  body: v.optional(v.picklist(['truncated', 'garbage', 'wrong-code'])),
  times: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
})
const plannedFault = v.strictObject({ route: v.string(), fault })
const mailFault = v.strictObject({ mail: v.literal('refused') })

interface FaultParts {
  readonly plan: FaultPlan
  readonly addresses: readonly Address[]
}

/** The planned faults, and the routes that they can be planned for. */
export function faultRoutes({ plan, addresses }: FaultParts): Routes {
  return {
    routes: {
      GET: () => json({ items: [...new Set(addresses.map(patternOf))].sort() }),
    },
    faults: {
      GET: () => json({ items: plan.list() }),
      POST({ body }) {
        planFault(plan, body)
        return json({ items: plan.list() }, 201)
      },
      DELETE() {
        plan.clear()
        return json({ items: [] })
      },
    },
    'faults/': {
      DELETE: ({ id }) =>
        plan.remove(Number(id)) ? json({ items: plan.list() }) : refused(404, `There is no fault ${id ?? ''}.`),
    },
  }
}

function planFault(plan: FaultPlan, body: unknown): void {
  if (isRecord(body) && 'mail' in body) {
    plan.mail(v.parse(mailFault, body).mail)
    return
  }
  const { route, fault: given } = v.parse(plannedFault, body)
  // The schema has left out fields that were not given.
  const planned = given as Parameters<FaultPlan['next']>[1]
  try {
    if (planned.times === undefined) plan.every(route, planned)
    else plan.next(route, planned)
  } catch (error) {
    throw new Refused(400, error instanceof Error ? error.message : String(error))
  }
}
