import { view } from '../store/query'
import { productionModeErrors } from './production-mode-check'
import { adminProject$ } from './project'

/** What stands in the way of production mode, in the order of the project's settings; empty: nothing. */
export const productionModeErrors$ = view(adminProject$, productionModeErrors)
