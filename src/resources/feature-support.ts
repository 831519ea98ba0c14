import * as v from 'valibot'
import { mutation } from '../store/mutation'
import { endpoint } from '../transport/endpoint'

/**
 * What the platform says of a feature: a text for developers, in English. The releases known today say of every feature that
 * they do not support it.
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
