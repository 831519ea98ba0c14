import { view } from '../store/query'
import { productionModeErrors } from './production-mode-check'
import { adminProject$ } from './project'

/**
 * What stands in the way of production mode, in the order of the project's settings; empty: nothing.
 *
 * @example
 * const problems = await admin.productionModeErrors$.get()
 */
export const productionModeErrors$ = view(adminProject$, productionModeErrors)
