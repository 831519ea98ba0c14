import { orUndefined } from '../core/values'
import { withoutEnding } from '../core/urls'

/** The query parameter in which a redirect to sign-in or sign-up keeps the return address. */
export const returnParameter = 'after_auth_return_to'

/** The query parameter by which a page for signing in knows that it keeps a user who is signed in. */
export const addParameter = 'add_account'

/** A hash that is the route of a router: `#/login?a=b`, `#!/login`. Other hashes are places on the page. */
const route = /^(#!?(\/[^?#]*))(?:\?([^#]*))?(#.*)?$/s

/** Whether a router shows `target` at `page`, whatever else the page has in its query. */
export function isSameRoute(page: URL, target: URL): boolean {
  const [, , here, hereQuery] = route.exec(page.hash) ?? []
  const [, , there, thereQuery] = route.exec(target.hash) ?? []
  return (
    isSamePath(page.pathname, target.pathname) &&
    // A router shows its first page where it finds no route.
    isSamePath(here ?? '/', there ?? '/') &&
    includes(page.searchParams, target.searchParams) &&
    includes(new URLSearchParams(hereQuery), new URLSearchParams(thereQuery))
  )
}

function isSamePath(one: string, other: string): boolean {
  return written(one) === written(other)
}

/** As every router reads it, however it is encoded: `/%6cogin`, and the lower case of other programs' `%c3%b6`. */
function written(path: string): string {
  return withoutEnding(orUndefined(() => decodeURI(path)) ?? path, '/')
}

function includes(all: URLSearchParams, some: URLSearchParams): boolean {
  return [...some].every(([name, value]) => all.getAll(name).includes(value))
}

/** Removes a hash that is no route. */
export function dropPlace(url: URL): void {
  if (!route.test(url.hash)) url.hash = ''
}

/** The return address that an address carries: in the route of its hash, else in its query. */
export function returnIn({ hash, searchParams }: URL): string | null {
  return new URLSearchParams(route.exec(hash)?.[3]).get(returnParameter) || searchParams.get(returnParameter)
}

/** Sets the return address, or another parameter, where the router of `url` reads its query. */
export function setReturn(url: URL, value: string, name = returnParameter): void {
  const [, path, , query, place = ''] = route.exec(url.hash) ?? []
  const parameters = path === undefined ? url.searchParams : new URLSearchParams(query)
  parameters.set(name, value)
  if (path !== undefined) url.hash = `${path}?${parameters.toString()}${place}`
}
