import { view } from '../../store/query'
import { productionModeErrors } from './admin-production-mode-check'
import { adminProject$ } from './admin-project'

/**
 * The obstacles to production mode, in the order of the project's settings; empty: none.
 *
 * @example
 * const problems = await admin.productionModeErrors$.get()
 */
export const productionModeErrors$ = view(adminProject$, productionModeErrors)
