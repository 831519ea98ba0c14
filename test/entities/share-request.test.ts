import { shareRequest } from '../../src/entities/as-owner'
import { world } from '../world'

describe('calls that ask for the same', () => {
  /** Runs that wait for `answer`. */
  async function shared() {
    const { newApp, settled } = await world()
    const [app, other] = [newApp(), newApp()]
    let runs = 0
    const answers: ((value: number) => void)[] = []
    const run = () => {
      runs++
      return new Promise<number>(resolve => answers.push(resolve))
    }
    return { app, other, run, settled, runs: () => runs, answer: () => answers.splice(0).forEach(tell => tell(runs)) }
  }

  it('share one run while it lasts, and no longer', async () => {
    const { app, run, runs, answer, settled } = await shared()
    const both = Promise.all([shareRequest(app, undefined, run, 'a', 'x'), shareRequest(app, {}, run, 'a', 'x')])
    answer()
    expect(await settled(both)).toEqual([1, 1])
    const next = shareRequest(app, undefined, run, 'a', 'x')
    answer()
    expect(await settled(next)).toBe(2)
    expect(runs()).toBe(2)
  })

  it('are of one kind, with the same texts, by one kit', async () => {
    const { app, other, run, runs } = await shared()
    void shareRequest(app, undefined, run, 'a', 'x', 'y')
    void shareRequest(app, undefined, run, 'b', 'x', 'y')
    void shareRequest(app, undefined, run, 'a', 'xy')
    void shareRequest(app, undefined, run, 'a', 'x","y')
    void shareRequest(other, undefined, run, 'a', 'x', 'y')
    expect(runs()).toBe(5)
  })

  it('are not all stopped by the abort of one', async () => {
    const { app, run, runs, answer, settled } = await shared()
    const controller = new AbortController()
    const first = shareRequest(app, { signal: controller.signal }, run, 'a')
    const second = shareRequest(app, undefined, run, 'a')
    controller.abort()
    await expect(settled(first)).rejects.toMatchObject({ code: 'ABORTED' })
    answer()
    expect(await settled(second)).toBe(1)
    expect(runs()).toBe(1)
  })

  it('are not made at all with a signal that has aborted', async () => {
    const { app, run, runs, settled } = await shared()
    await expect(settled(shareRequest(app, { signal: AbortSignal.abort() }, run, 'a'))).rejects.toMatchObject({
      code: 'ABORTED',
    })
    expect(runs()).toBe(0)
  })

  it('fail together, and can be made again', async () => {
    const { app, run, answer, settled } = await shared()
    const fail = () => Promise.reject(new Error('no'))
    const both = Promise.allSettled([shareRequest(app, undefined, fail, 'a'), shareRequest(app, undefined, fail, 'a')])
    expect((await settled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const next = shareRequest(app, undefined, run, 'a')
    answer()
    expect(await settled(next)).toBe(1)
  })
})
