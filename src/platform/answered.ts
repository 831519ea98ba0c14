import type { Page } from '../core/wire'
import type { PageRows } from './data/page'
import type { Reply } from './reply'

/** What a handler gives where its answer is more than the endpoint's value with the endpoint's status. */
export class Answered<R> {
  readonly how:
    | { readonly kind: 'value'; readonly status: number; readonly value: R }
    | { readonly kind: 'reply'; readonly reply: Reply }
    | { readonly kind: 'page'; readonly rows: PageRows<unknown> }
    | { readonly kind: 'again'; readonly after: Promise<void> }

  constructor(how: Answered<R>['how']) {
    this.how = how
  }
}

/** The endpoint's value with another status. */
export function withStatus<R>(status: number, value: R): Answered<R> {
  return new Answered({ kind: 'value', status, value })
}

/** A redirect and the like: sent as it stands. */
export function asReply(reply: Reply): Answered<never> {
  return new Answered<never>({ kind: 'reply', reply })
}

/**
 * A page whose items are made when it is sent, in slices. The unit of work is over by then and others go on, but its tables
 * stay as they were: the page is of one time.
 */
export function asPage<T>(rows: PageRows<T>): Answered<Page<T>> {
  return new Answered<Page<T>>({ kind: 'page', rows })
}

/** The request is answered from its beginning once the work is done; other units of work go on meanwhile. */
export function askAgain(after: Promise<void>): Answered<never> {
  return new Answered<never>({ kind: 'again', after })
}
