import { check, type Shape } from '../core/wire'
import type * as v from 'valibot'
import { DEV } from '../core/dev'
import type { Transport } from './transport'

/** The form of an answer from which items that cannot be read are left out. */
export interface LenientAnswer<T> {
  /** The answer in local form without these items, checked. */
  readonly leaveOut: (local: unknown, transport: Transport, route: string) => v.SafeParseResult<Shape<T>>
}

/** The items that the trace and the console name per kit. */
const maxNamed = 1000

/**
 * Declares that the list of this answer is only shown: an item that cannot be read is left out, and named once in the trace and
 * on the console. A list whose items mean something by their absence, such as sessions or permissions, is not declared so.
 */
export function lenient<T>(list: Shape<T>): Shape<T> & LenientAnswer<T> {
  return Object.assign(list, {
    leaveOut(local: unknown, transport: Transport, route: string) {
      const result = check(list, local)
      if (result.success) return result
      const unread = new Map<unknown, string>()
      let items: unknown[] = []
      for (const { path } of result.issues) {
        const step = path?.find(({ type }) => type === 'array')
        // Something else than an item is not as documented.
        if (!step) return result
        items = step.input as unknown[]
        unread.set(
          step.value,
          path
            ?.slice(path.indexOf(step) + 1)
            .map(({ key }) => key)
            .join('.') ?? '',
        )
      }
      for (const [item, field] of unread) name(transport, route, idOf(item, items), field)
      const kept = items.filter(item => !unread.has(item))
      // Not in one call, which takes less than 100,000 arguments in some browsers.
      items.length = 0
      for (const item of kept) items.push(item)
      const rest = check(list, local)
      // Only a page counts unread items: the next page is found by the item at which it begins, which may be one.
      if (rest.success && 'nextCursor' in (rest.output as object))
        Object.assign(rest.output as object, { leftOut: unread.size })
      return rest
    },
  })
}

function idOf(item: unknown, items: readonly unknown[]): string {
  const { id, userId } = (item ?? {}) as { readonly id?: unknown; readonly userId?: unknown }
  return [id, userId].find(each => typeof each === 'string') ?? `at ${items.indexOf(item)}`
}

function name(transport: Transport, route: string, id: string, field: string): void {
  const named = (transport.leftOut ??= new Set())
  const key = `${route} ${id}`
  if (named.has(key) || named.size === maxNamed) return
  named.add(key)
  transport.trace.emit(() => ({ type: 'left-out', path: route, id, field }))
  // eslint-disable-next-line no-console -- no call reports an item that is left out
  console.warn(
    DEV
      ? `rxauth: the item ${id} of ${route} is left out, since its field "${field}" is not as documented`
      : `${route} ${id}: ${field}`,
  )
}
