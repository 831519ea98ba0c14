import { Observable } from 'rxjs'
import type { Store } from 'rxauth'
import { insideOf, isServer } from '../src/inside'
import { world } from './world'

describe('the inside of a store', () => {
  it('is the handle itself, also of a derived store', async () => {
    const { app } = await world()
    for (const store of [app.user$, app.derive(read => read(app.user$))]) expect(insideOf<unknown>(store)).toBe(store)
  })

  it('is undefined for a store of another origin', () => {
    const own = new Observable<number>() as unknown as Store<number>
    expect(insideOf(own)).toBeUndefined()
  })
})

describe('isServer', () => {
  it.each([
    ['Node', {}, true],
    ['a page', { document: {} }, false],
    ['React Native', { navigator: { product: 'ReactNative' } }, false],
    ['a worker', { navigator: { product: 'Gecko' } }, true],
  ])('of %s with %j is %s', (_, names: Partial<Record<'document' | 'navigator', object>>, expected) => {
    const before = Object.getOwnPropertyDescriptors(globalThis)
    for (const name of ['document', 'navigator'] as const)
      Object.defineProperty(globalThis, name, { configurable: true, value: names[name] })
    try {
      expect(isServer()).toBe(expected)
    } finally {
      for (const name of ['document', 'navigator'] as const) {
        const was = (before as Record<string, PropertyDescriptor | undefined>)[name]
        if (was) Object.defineProperty(globalThis, name, was)
        else Reflect.deleteProperty(globalThis, name)
      }
    }
  })
})
