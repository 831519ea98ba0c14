import { compile, type Address } from '../http/router'
import type { ServedRoute } from '../http/serve'
import type { WireRules } from '../model/release'
import * as resources from './resources'

type Resource = Readonly<Partial<Record<'routes' | 'newerRoutes', readonly (readonly ServedRoute[])[]>>>
const all: readonly Resource[] = Object.values(resources)

export const routes = all.flatMap(({ routes = [] }) => routes.flat())

/** Routes that only the newer release has, or has in another form; they replace the ones above. */
export const newerRoutes = all.flatMap(({ newerRoutes = [] }) => newerRoutes.flat())

const { emailTemplates } = resources

export function routesOf({ hasNewerAnswers, hasLaterFields }: WireRules): readonly ServedRoute[] {
  if (!hasNewerAnswers) return routes
  const later = new Set(hasLaterFields ? [] : emailTemplates.laterRoutes.flat())
  const added = newerRoutes.filter(one => !later.has(one))
  const gone = new Set([...added.map(({ route }) => route), ...emailTemplates.routes.flat().map(({ route }) => route)])
  return [...routes.filter(({ route }) => !gone.has(route)), ...added]
}

const compiled = new Map<WireRules, readonly Address[]>()

/** The addresses of a release: one list for all of its platforms, since a test makes thousands of them. */
export function addressesOf(rules: WireRules): readonly Address[] {
  const addresses = compiled.get(rules) ?? compile(routesOf(rules))
  compiled.set(rules, addresses)
  return addresses
}
