import * as fc from 'fast-check'
import { runs } from '../runs'
import { Model } from './model'
import { step } from './steps'

/** A failure names its seed; `RXAUTH_SEED=… npx jest test/store/model` runs it again. */
const { RXAUTH_SEED, RXAUTH_RUNS } = process.env

// Promise: late-answer
it('in any order of events, no user sees values of another user, undone ones, or older ones than before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async steps => {
      const model = new Model()
      for (const step of steps) await model.perform(step)
      await model.finish()
      expect(model.problems).toEqual([])
      expect(model.own.unhandled).toEqual([])
    }),
    {
      numRuns: Number(RXAUTH_RUNS ?? runs(100, 3000)),
      ...(RXAUTH_SEED !== undefined && { seed: Number(RXAUTH_SEED) }),
    },
  )
})
