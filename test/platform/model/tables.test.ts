import { schema } from '../../../src/platform/model/tables'

describe('the tables of the platform', () => {
  it.each([
    ['shared', schema.shared],
    ['ofProject', schema.ofProject],
  ] as const)('of %s go with rows of tables beside them, by indexes that they have', (_, definitions) => {
    const wrong = Object.entries(definitions).flatMap(([name, { cascade, indexes }]) =>
      Object.entries(cascade as Readonly<Record<string, string>>)
        .filter(([other, index]) => !(other in definitions) || !(index in indexes))
        .map(([other]) => `${name} with ${other}`),
    )
    expect(wrong).toEqual([])
  })

  it('that have the id of a user go with the user, except for those whose rows stay', () => {
    const ofUsers = Object.entries(schema.ofProject).flatMap(([name, { cascade, indexes }]) =>
      'userId' in indexes && !('users' in cascade) ? [name] : [],
    )
    // A grant goes with its membership, and days of activity stay in the metrics.
    expect(ofUsers).toEqual(['teamGrants', 'activity'])
  })
})
