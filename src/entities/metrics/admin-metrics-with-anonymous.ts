import { query } from '../../store/query'
import { endpoint } from '../../transport/endpoint'
import { lacking } from '../../transport/lacking'
import { counted } from './admin-counted'
import { Metrics } from './admin-metrics'

/**
 * The statistics of `metrics$` with anonymous users among the users. Throws NOT_ON_THIS_PLATFORM on release 2.8.18, where
 * `metrics$` counts them.
 *
 * @example
 * const { totalUsers } = await metricsWithAnonymous$(admin).get()
 */
export const metricsWithAnonymous$ = query(
  endpoint('GET /internal/metrics', {
    access: 'admin',
    fixed: { include_anonymous: 'true' },
    returns: Metrics,
    notOnPlatform: lacking('include_anonymous'),
  }),
  { '~follows': counted },
)
