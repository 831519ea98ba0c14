import type { Page } from '../../core/wire'
import type { PageRows } from '../data/page'
import type { Reply } from './reply'

/** Returned by a handler for an answer that is not just the endpoint's value with its default status. */
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

/** A complete reply, such as a redirect, sent unchanged. */
export function asReply(reply: Reply): Answered<never> {
  return new Answered<never>({ kind: 'reply', reply })
}

/**
 * A page whose items are built in slices while it is sent, after the unit of work has ended. The page reads the tables as
 * they were at the end of its unit; later writes do not show in it.
 */
export function asPage<T>(rows: PageRows<T>): Answered<Page<T>> {
  return new Answered<Page<T>>({ kind: 'page', rows })
}

/** The request is handled again from its beginning once `after` has settled; other units of work run meanwhile. */
export function askAgain(after: Promise<void>): Answered<never> {
  return new Answered<never>({ kind: 'again', after })
}
