import { runInNewContext } from 'node:vm'

/** A Promise of another realm: `instanceof Promise` is false for its instances, as for those that Node passes to jest. */
export const ForeignPromise = runInNewContext('Promise') as PromiseConstructor

/** Promises of libraries: only a `then`. */
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

/** Runs a function and returns a promise of no realm of ours. */
export type Later = <T>(run: () => T) => Promise<T>

/** Every kind of promise that a token store or a storage may return. */
export const kindsOfPromise: readonly (readonly [kind: string, later: Later])[] = [
  ['another realm', run => new ForeignPromise(resolve => resolve(undefined)).then(run)],
  // Typed as the kit's types require; a library's own type would need a cast as well.
  ['a library', run => new Thenable(Promise.resolve().then(run)) as unknown as Promise<never>],
  ['this realm', run => Promise.resolve().then(run)],
]
