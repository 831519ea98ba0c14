import * as v from 'valibot'
import { json } from '../../core/wire'
import { platformOnly } from '../http/platform-only'
import { serve } from '../http/serve'
import { plain } from '../model/refusal'

const query = platformOnly('POST /internal/analytics/query', {
  access: 'admin',
  body: {
    query: v.string(),
    params: v.optional(json<object>()),
    timeoutMs: v.optional(v.pipe(v.number(), v.minValue(1_000), v.maxValue(120_000))),
    includeAllBranches: v.optional(v.boolean()),
  },
})

/** What the newer release answers from a database for analytics. */
export const newerAnalyticsRoutes = [
  serve(query, {}, () => {
    throw plain(
      501,
      'The local platform has no ClickHouse, which answers queries of analytics; its metrics count users.',
    )
  }),
]
