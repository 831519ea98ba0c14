import { wireWorld } from '../wire-world'

describe('a budget', () => {
  it('returns the result of a run within the budget', async () => {
    const { ask, platform } = wireWorld()
    const run = async () => (await ask('GET /projects/current')).status
    await expect(platform.budget({ 'GET /projects/current': 1 }, run)).resolves.toBe(200)
  })

  it('fails with a list of the excess requests', async () => {
    const { ask, platform } = wireWorld()
    const run = () => Promise.all([ask('GET /projects/current'), ask('GET /projects/current'), ask('GET /')])
    await expect(platform.budget({ 'GET /projects/current': 1 }, run)).rejects.toThrow(
      'more requests than the budget allows\n  GET /projects/current: 2 requests, 1 allowed\n  GET /: 1 requests, 0 allowed',
    )
  })

  it('counts routes without an entry under "*"', async () => {
    const { ask, platform } = wireWorld()
    const run = () => Promise.all([ask('GET /'), ask('GET /projects/current')])
    await expect(platform.budget({ 'GET /': 1, '*': 1 }, run)).resolves.toHaveLength(2)
    await expect(platform.budget({ 'GET /': 1, '*': 0 }, run)).rejects.toThrow('*: 1 requests, 0 allowed')
  })

  it('rejects with the error of the run', async () => {
    const { platform } = wireWorld()
    await expect(platform.budget({}, () => Promise.reject(new Error('oops')))).rejects.toThrow('oops')
  })

  it('for an unknown route throws', async () => {
    await expect(wireWorld().platform.budget({ 'GET /nothing': 1 }, async () => {})).rejects.toThrow('is no route')
  })
})
