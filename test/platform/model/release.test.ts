import { wireWorld } from '../wire-world'

describe('an unknown release', () => {
  it('is none', () => {
    expect(() => wireWorld({ wire: '2025' as never })).toThrow('wire "2025" is unknown')
  })
})
