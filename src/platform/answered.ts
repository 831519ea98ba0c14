import type { Reply } from './reply'

/** What a handler gives where its answer is more than the endpoint's value with the endpoint's status. */
export class Answered<R> {
  readonly how:
    | { readonly kind: 'value'; readonly status: number; readonly value: R }
    | { readonly kind: 'reply'; readonly reply: Reply }

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
