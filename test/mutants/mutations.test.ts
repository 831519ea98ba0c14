import { mutated, mutationsOf } from './mutations'

/** Every text that one mutation makes of this one. */
const mutants = (text: string) => mutationsOf(text, 'source.ts').map(mutation => mutated(text, mutation))

describe('the mutants of a source', () => {
  it.each<[what: string, text: string, expected: readonly string[]]>([
    ['negate conditions', 'if (a) b', ['if (!(a)) b', 'if (a) ;']],
    ['swap comparisons', 'x = a <= b', [';', 'x = a < b']],
    ['swap what joins conditions', 'const x = a && b', ['const x = a || b']],
    ['leave out what a default is for', 'const x = a ?? b', ['const x = ((a) && (b))']],
    ['take a negation away', 'const x = !a', ['const x = a']],
    [
      'change constants',
      "const x = [true, 5, 'a', '']",
      [
        "const x = [false, 5, 'a', '']",
        "const x = [true, (5 + 1), 'a', '']",
        "const x = [true, 5, '', '']",
        "const x = [true, 5, 'a', 'mutant']",
      ],
    ],
    ['remove statements, and exchange neighbours', 'a(); b()', ['; b()', 'b(); a();', 'a(); ;']],
    [
      'exchange a declaration and what does not use it',
      'const x = a; if (b) c = x; const y = x; d(); const z = a; e(z)',
      [
        'const x = a; const y = x; if (b) c = x; d(); const z = a; e(z)',
        'const x = a; if (!(b)) c = x; const y = x; d(); const z = a; e(z)',
        'const x = a; if (b) ; const y = x; d(); const z = a; e(z)',
        'const x = a; if (b) c = x; d(); const y = x; const z = a; e(z)',
        'const x = a; if (b) c = x; const y = x; ; const z = a; e(z)',
        'const x = a; if (b) c = x; const y = x; const z = a; d(); e(z)',
        'const x = a; if (b) c = x; const y = x; d(); const z = a; ;',
      ],
    ],
    ['drop an await', 'const x = await a(b)', ['const x = a(b)']],
    [
      'use a value in place of its copy',
      'const x = [{ ...a }, [...b], structuredClone(c), d.slice()]',
      [
        'const x = [a, [...b], structuredClone(c), d.slice()]',
        'const x = [{ ...a }, b, structuredClone(c), d.slice()]',
        'const x = [{ ...a }, [...b], c, d.slice()]',
        'const x = [{ ...a }, [...b], structuredClone(c), d]',
      ],
    ],
    ['empty returns', 'function f() { return a }', ['function f() { return undefined as never }']],
    ['choose the other way', 'const x = a ? b : c', ['const x = !(a) ? b : c']],
  ])('%s', (_what, text, expected) => {
    expect(mutants(text)).toEqual(expected)
  })

  it.each([
    ['types', "type A = 'a' | 1; interface B { readonly a: true }; const x: 'b' = y"],
    ['imports', "import { a } from './a'; export { b } from './b'; export * from './c'"],
    ['the text of an error', 'const x = new TypeError(`a ${b}`)'],
    ['directives', "'use client'"],
    ['a return of nothing', 'function f() { return undefined }'],
    ['super calls', 'class A extends B { constructor() { super(a) } }'],
    ['what is more than a copy', 'const x = [{ ...a, b }, [...c, d], e.slice(f)]'],
    ['the order of declarations and jumps', 'function f() { const x = a; const y = b; function c() {} return }'],
    ['names in binding patterns', "const { 'a': b, 5: c } = d"],
    ['names of members', "const x = { 5: a, 'b': c, 'd'() {} }; class A { 'b' = c; 5 = d; 'e'() {} }"],
    ['loaded modules', "const x = import('./a')"],
  ])('leave alone %s', (_what, text) => {
    expect(mutants(text)).toEqual([])
  })

  it('change the code of an error, and not its message', () => {
    expect(mutants("const x = new AuthError('A', 'b')")).toEqual(["const x = new AuthError('', 'b')"])
  })

  it('change the default of a name in a binding pattern', () => {
    expect(mutants("const { 'a': b = 5 } = c")).toEqual(["const { 'a': b = (5 + 1) } = c"])
  })

  it('keep the operands of a default together, for `a ?? b && c` does not parse', () => {
    expect(mutants('const x = a ?? b ?? c')).toEqual(['const x = ((a) && (b)) ?? c', 'const x = ((a ?? b) && (c))'])
  })

  it('see what follows a type parameter, which is JSX in .tsx only', () => {
    expect(mutants('const f = <T>(x: T) => x; const y = true')).toEqual(['const f = <T>(x: T) => x; const y = false'])
  })

  it('name the line', () => {
    expect(mutationsOf('a\n  && b', 'source.ts').map(({ line }) => line)).toEqual([1, 2])
  })
})
