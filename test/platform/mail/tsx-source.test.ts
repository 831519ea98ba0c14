import { demandedIn, importsIn, previewVariablesIn, undefinedIn } from '../../../src/platform/mail/tsx-source'

describe('the imports of a source', () => {
  it.each([
    ["import { A, type B as C } from 'x'", ['A', 'type', 'B', 'as', 'C', 'from']],
    ['import D from "y"\nimport * as E from \'z\'', ['D', 'from', 'as', 'E']],
    ["import 'only'", []],
    ['import { A }', []],
    ['const important = 1', []],
  ])('%s', (source, names) => {
    expect([...importsIn(source)]).toEqual(names)
  })

  it('are the components that it may use', () => {
    const source = "import { A } from 'x'"
    expect(undefinedIn(source, new Set(['A']))).toBeNull()
    expect(JSON.parse(undefinedIn(source, new Set(['A', 'B'])) ?? '')).toMatchObject({ message: 'B is not defined' })
  })
})

it('a source has values for its preview', () => {
  const source = `EmailTemplate.PreviewVariables = { name: 'Ada', "count": -1.5, on: true, other: [] } satisfies X`
  expect(previewVariablesIn(source)).toEqual({ name: 'Ada', count: -1.5, on: true })
  expect(previewVariablesIn('')).toEqual({})
})

it('a source demands the variables of its schema, without the optional ones', () => {
  expect(
    demandedIn("export const variablesSchema = type({ name: 'string', 'nick?': 'string', count: 'number' })"),
  ).toEqual([...['name', 'count']])
  expect(demandedIn('type({ name: 1 })')).toEqual([])
})
