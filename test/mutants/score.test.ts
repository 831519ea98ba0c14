import { scored } from './score'

describe('the score', () => {
  it('of each folder is of the changes that its tests have judged', () => {
    const { lines, percent } = scored([
      { file: 'src/store/cell.ts', outcome: 'failed' },
      { file: 'src/store/write/lay.ts', outcome: 'passed' },
      { file: 'src/core/clock.ts', outcome: 'failed' },
    ])
    expect(lines).toEqual(['src/core  1 of 1', 'src/store  1 of 2', '66.7 % noticed, 0 out of time'])
    expect(percent).toBeCloseTo(66.7, 1)
  })

  it('takes a change that ran out of time neither for noticed nor for survived', () => {
    const { lines, percent } = scored([
      { file: 'src/store/cell.ts', outcome: 'failed' },
      { file: 'src/store/cells.ts', outcome: 'out of time' },
      { file: 'src/store/loads.ts', outcome: 'passed' },
    ])
    expect(lines).toEqual(['src/store  1 of 2, 1 out of time', '50.0 % noticed, 1 out of time'])
    expect(percent).toBe(50)
  })

  it('reaches no goal if every change ran out of time', () => {
    expect(scored([{ file: 'src/store/cell.ts', outcome: 'out of time' }]).percent).toBeNaN()
  })
})
