import { isThenable, thenSync } from '../../src/core/promises'
import { kindsOfPromise } from '../session/foreign'

const told = (error: unknown): never => {
  throw new Error('told', { cause: error })
}
const thrown = new Error('thrown')
const fails = () => {
  throw thrown
}

describe('a thenable', () => {
  it.each(kindsOfPromise)('is a promise of %s', (_, later) => {
    expect(isThenable(later(() => 1))).toBe(true)
  })

  it.each([[undefined], [null], [0], ['text'], [{}], [{ then: 'no function' }], [() => undefined]])(
    'is not %p',
    value => {
      expect(isThenable<unknown>(value)).toBe(false)
    },
  )
})

describe('a synchronous value', () => {
  it('is returned at once, without a promise', () => {
    expect(
      thenSync(
        () => 1,
        value => value + 1,
        told,
      ),
    ).toBe(2)
  })

  it('fails at once, with the error of `fail`', () => {
    expect(() => thenSync(fails, value => value, told)).toThrow(
      expect.objectContaining({ message: 'told', cause: thrown }),
    )
    expect(() => thenSync(() => 1, fails)).toThrow(thrown)
  })
})

describe.each(kindsOfPromise)('the value of a promise of %s', (_, later) => {
  it('is returned in a promise of this realm', async () => {
    for (const made of [
      thenSync(
        () => later(() => 1),
        value => value + 1,
      ),
      thenSync(
        () => 1,
        value => later(() => value + 1),
      ),
    ]) {
      expect(made).toBeInstanceOf(Promise)
      expect(await made).toBe(2)
    }
  })

  it('fails with the error of `fail`', async () => {
    const failing: readonly (() => unknown)[] = [
      () =>
        thenSync(
          () => later(fails),
          value => value,
          told,
        ),
      () => thenSync(() => later(() => 1), fails, told),
      () =>
        thenSync(
          () => 1,
          () => later(fails),
          told,
        ),
    ]
    for (const run of failing) await expect(run()).rejects.toMatchObject({ message: 'told', cause: thrown })
  })
})
