import { createClientApp } from 'rxauth'
import { leaveStacks } from './stacks'

const inBundle = /\/sources-\d+\.js:\d+:\d+\)\n/
const inSources = /src\/errors\/auth-error\.ts:\d+:\d+\)\n[^]*src\/kit\/client-app\.ts:\d+:\d+\)\n/

describe('an error of the sources', () => {
  const { prepareStackTrace } = Error
  let place: (failed: unknown) => void
  let error: Error

  beforeEach(() => {
    place = leaveStacks(Error)
    try {
      createClientApp({ tokens: 'none' as never })
    } catch (thrown) {
      error = thrown as Error
    }
    Error.prepareStackTrace = prepareStackTrace
  })

  it('has the places in their files once it has failed a test, below its first line', () => {
    place(error)
    expect(error.stack).toMatch(/^AuthError \[INVALID_INPUT\]: projectId /)
    expect(error.stack).toMatch(inSources)
    expect(error.stack).not.toMatch(inBundle)
  })

  it('has them as the cause of another one, too', () => {
    place(new Error('outer', { cause: error }))
    expect(error.stack).toMatch(inSources)
  })

  it('has had no look at their files before', () => {
    expect(error.stack).toMatch(inBundle)
    expect(error.stack).not.toMatch(inSources)
  })

  it.each([undefined, null, 'text', {}])('is not %j, thrown, which is left alone', thrown => {
    expect(() => {
      place(thrown)
    }).not.toThrow()
  })
})
