interface Module {
  slowest(files: readonly { readonly path: string; readonly seconds: number }[]): string
}

const { slowest } = jest.requireActual<Module>('./slowest.mjs')

describe('the slowest test files', () => {
  it('are the ten that took longest, the slowest first, with their seconds below each other', () => {
    const files = [3, 12, 7, 1, 100.04, 9, 2, 11, 5, 8, 4, 0].map(seconds => ({
      path: `test/${seconds}.test.ts`,
      seconds,
    }))
    expect(slowest(files).split('\n')).toEqual([
      '   100.0 s test/100.04.test.ts',
      ...['    12.0 s test/12.test.ts', '    11.0 s test/11.test.ts', '     9.0 s test/9.test.ts'],
      ...['     8.0 s test/8.test.ts', '     7.0 s test/7.test.ts', '     5.0 s test/5.test.ts'],
      ...['     4.0 s test/4.test.ts', '     3.0 s test/3.test.ts', '     2.0 s test/2.test.ts'],
    ])
  })

  it('are all where there are fewer than ten', () => {
    expect(slowest([{ path: 'test/a.test.ts', seconds: 0.26 }])).toBe('     0.3 s test/a.test.ts')
    expect(slowest([])).toBe('')
  })
})
