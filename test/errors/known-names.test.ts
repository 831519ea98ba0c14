import { assertKnownNames } from '../../src/errors/auth-error'

describe('the names of options', () => {
  it.each([[undefined], [{}], [{ baseUrl: 'x' }], [{ baseUrl: 'x', tokens: null }], [{ base: undefined }]])(
    'of %j are known',
    options => {
      expect(() => {
        assertKnownNames(options, 'baseUrl tokens')
      }).not.toThrow()
    },
  )

  it('that are misspelt are named, with those that exist', () => {
    expect(() => {
      assertKnownNames({ host: {}, baseURL: 'x' }, 'baseUrl host', 'options.')
    }).toThrow(
      expect.objectContaining({
        code: 'INVALID_INPUT',
        details: { field: 'options.baseURL', reason: 'is not an option; there are: baseUrl, host' },
      }),
    )
  })
})
