import { runInNewContext } from 'node:vm'

/** A Promise of another realm: `instanceof Promise` is false for what it makes, as for what jest is given by Node itself. */
export const ForeignPromise = runInNewContext('Promise') as PromiseConstructor

/** Promises of libraries: a `then`, and nothing else of what this realm's have. */
class Thenable<T> implements PromiseLike<T> {
  readonly #inner: Promise<T>

  constructor(inner: Promise<T>) {
    this.#inner = inner
  }

  then<A = T, B = never>(
    onValue?: ((value: T) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): PromiseLike<A | B> {
    return new Thenable(this.#inner.then(onValue, onError))
  }
}

/** Makes of what runs a promise that is none of this realm's. */
export type Later = <T>(run: () => T) => Promise<T>

/** Every kind of promise that a token store or a storage may answer with. */
export const kindsOfPromise: readonly (readonly [kind: string, later: Later])[] = [
  ['another realm', run => new ForeignPromise(resolve => resolve(undefined)).then(run)],
  // Typed as what the kit's types ask for; a library's own type would need a cast just the same.
  ['a library', run => new Thenable(Promise.resolve().then(run)) as unknown as Promise<never>],
  ['this realm', run => Promise.resolve().then(run)],
]
