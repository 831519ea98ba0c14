import * as v from 'valibot'
import { mutation } from '../../store/write/mutation'
import { endpoint } from '../../transport/endpoint'

/**
 * The platform's statement on a feature: an English text for developers. All releases known today answer that they do not
 * support it.
 *
 * @example
 * console.log(await app.checkFeatureSupport({ featureName: 'teleport' }))
 */
export const checkFeatureSupport = mutation(
  endpoint('POST /check-feature-support', {
    access: 'client',
    body: { featureName: v.optional(v.string()) },
    returns: v.string(),
    ownedBy: 'app',
  }),
  { refreshes: () => [] },
)
