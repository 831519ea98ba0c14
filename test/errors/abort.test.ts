import { abortError, unlessAborted } from '../../src/errors/auth-error'

describe('one caller among several', () => {
  it('gets the outcome, and its signal holds no listener afterwards', async () => {
    const { signal } = new AbortController()
    const remove = jest.spyOn(signal, 'removeEventListener')
    expect(await unlessAborted(Promise.resolve(7), signal)).toBe(7)
    expect(await unlessAborted(Promise.resolve(7), undefined)).toBe(7)
    await expect(unlessAborted(Promise.reject(new Error('x')), signal)).rejects.toThrow('x')
    expect(remove).toHaveBeenCalled()
  })

  it('rejects alone when it aborts', async () => {
    const controller = new AbortController()
    let finish: (value: number) => void = () => undefined
    const work = new Promise<number>(resolve => (finish = resolve))
    const mine = unlessAborted(work, controller.signal)
    const other = unlessAborted(work, new AbortController().signal)
    controller.abort()
    finish(7)
    await expect(mine).rejects.toMatchObject({ code: 'ABORTED' })
    expect(await other).toBe(7)
    await expect(unlessAborted(work, controller.signal)).rejects.toMatchObject({ code: 'ABORTED' })
  })
})

it('an abort is ABORTED with its reason as the cause', () => {
  expect(abortError(AbortSignal.abort('why'))).toMatchObject({ code: 'ABORTED', cause: 'why' })
})
