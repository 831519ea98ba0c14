import { pointAtTest } from './own-line'

const path = '/repo/test/a.test.ts'
const message = 'Error: expected 4\n    at the far side of a message that has lines of its own\n\nReceived: 3'
const inHelper = '    at toBe (/repo/test/world.ts:7:3)'
const inFunction = `    at async asks (${path}:5:3)`
const inTest = `    at async Object.<anonymous> (${path}:11:3)`
const inJest = '    at run (/repo/node_modules/jest-circus/run.js:1:1)'

const stackOf = (...frames: readonly string[]) => [message, ...frames].join('\n')

function pointed(stack: string, properties: object = { matcherResult: {} }): string | undefined {
  const error = Object.assign(new Error(), { stack }, properties)
  pointAtTest(error, path)
  return error.stack
}

describe('a failed assertion points at the line of its test', () => {
  it('that called what asserts, however far away', () => {
    expect(pointed(stackOf(inHelper, inFunction, inTest, inJest))).toBe(stackOf(inTest, inHelper, inFunction, inJest))
  })

  it('whose frames really say so, after a wait too', async () => {
    const asserts = async () => {
      await Promise.resolve()
      expect(3).toBe(4)
    }
    let error: unknown
    async function itself() {
      await asserts()
    }
    await itself().catch((thrown: unknown) => (error = thrown))
    pointAtTest(error, expect.getState().testPath!)
    const [first] = (error as Error).stack!.split('\n').filter(line => line.startsWith('    at '))
    expect(first).toMatch(/itself|Object\.<anonymous>/)
  })

  it('unless the test is not in its frames', () => {
    expect(pointed(stackOf(inHelper, inJest))).toBe(stackOf(inHelper, inJest))
  })

  it('and an error of the code under test at that code', () => {
    const stack = stackOf(inHelper, inTest)
    expect(pointed(stack, {})).toBe(stack)
  })

  it.each([undefined, null, 'text', {}, { matcherResult: {} }])('and %j, thrown, is left alone', thrown => {
    expect(() => {
      pointAtTest(thrown, path)
    }).not.toThrow()
  })
})
