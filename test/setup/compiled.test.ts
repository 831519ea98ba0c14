import { createContext, type Script } from 'node:vm'

interface Module {
  compiled(file: string, text: string, parameters: readonly string[]): Script
}

const { compiled } = jest.requireActual<Module>('./compiled.cjs')

describe('the script of a module', () => {
  it('is the same for each test file, which runs it in its own context', () => {
    const text = 'exports.of = name => [name, typeof other, kind]'
    const run = (kind: string) => {
      const exports: { of?: (name: string) => readonly string[] } = {}
      const context = createContext({ kind })
      const body = compiled('same.js', text, ['exports']).runInContext(context) as (given: object) => void
      body(exports)
      return exports.of?.('a')
    }
    expect([run('first'), run('second')]).toEqual([
      ['a', 'undefined', 'first'],
      ['a', 'undefined', 'second'],
    ])
    expect(compiled('same.js', text, ['exports'])).toBe(compiled('same.js', text, ['exports']))
  })

  it('is another one once its text has changed', () => {
    const before = compiled('changed.js', 'exports.a = 1', ['exports'])
    expect(compiled('changed.js', 'exports.a = 2', ['exports'])).not.toBe(before)
  })

  it('keeps its directives, its comment at the end, and the places of its errors', () => {
    const text = "'use strict'; throw Object.assign(new Error(), { isStrict: this === undefined })\n// the end"
    const body = compiled('/place.js', text, ['a', 'b']).runInThisContext() as () => void
    let error: { isStrict?: boolean; stack?: string } = {}
    try {
      body()
    } catch (thrown) {
      error = thrown as Error
    }
    expect(error.isStrict).toBe(true)
    expect(error.stack).toContain(`/place.js:1:${text.indexOf('new Error') + 1}`)
  })
})
