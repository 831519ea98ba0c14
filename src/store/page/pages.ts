import type { Signal } from '../../core/web-types'
import type { ListPage } from '../../core/wire'
import { invalidResponse } from '../../errors/auth-error'
import type { Access } from '../../transport/endpoint'
import type { Query } from '../definition'
import type { Kit } from '../kit'

/** The rows of each request, unless `pageSize` is set. */
const defaultPageSize = 100

interface Paging {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** The filter, and how rows are fetched. */
export type ListOptions<I> = Omit<I, keyof Paging> & { readonly pageSize?: number; readonly signal?: Signal }

/**
 * Declares an iteration over a paged query: each row once, in the platform's order, one page per request, each requested
 * when needed. Rows created or deleted meanwhile never hide another row.
 *
 * The cursor of a page is its first row. If that row was deleted, the platform answers an empty page, and the iteration
 * continues after the last returned row that still exists. It throws INVALID_RESPONSE if there is none, or if a cursor comes
 * twice.
 */
export function eachOf<A extends Access, I extends Paging, T extends { readonly id: string }>(
  paged: Query<A, I, ListPage<T>>,
): (kit: Kit<A>, options?: ListOptions<I>) => AsyncIterable<T> {
  return async function* (kit, options = {} as ListOptions<I>) {
    const { pageSize = defaultPageSize, signal, ...filter } = options
    const ask = (paging: Paging) => {
      // ListOptions<I> and Paging make up I.
      const input = { ...filter, ...paging } as unknown as I
      const store = (paged as (kit: Kit<A>, input: I) => ReturnType<typeof paged>)(kit, input)
      return store.get({ maxAgeMillis: 0, ...(signal && { signal }) })
    }
    /** The next page, without the rows already returned. */
    async function after({ items, nextCursor }: ListPage<T>): Promise<ListPage<T>> {
      const next = await ask({ limit: pageSize, ...(nextCursor !== null && { cursor: nextCursor }) })
      // A row that cannot be read is left out, also the first.
      if (next.items[0]?.id === nextCursor || next.leftOut) return next
      for (const { id } of [...items].reverse()) {
        const again = await ask({ limit: pageSize + 1, cursor: id })
        if (again.items[0]?.id === id) return { ...again, items: again.items.slice(1) }
      }
      throw invalidResponse('all rows at which the list could continue have been deleted; start again')
    }
    let page = await ask({ limit: pageSize })
    const followed = new Set<string>()
    yield* page.items
    while (page.nextCursor !== null) {
      if (followed.has(page.nextCursor))
        throw invalidResponse('the platform returned the same page twice; the list has no end')
      followed.add(page.nextCursor)
      page = await after(page)
      yield* page.items
    }
  }
}
