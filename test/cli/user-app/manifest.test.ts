import fc from 'fast-check'
import { readManifest, withScript, withValue } from '../../../src/cli/user-app/manifest'

const added = (text: string) => withScript(text, 'dev:auth', 'rxauth dev -- "x"')
const script = '"dev:auth": "rxauth dev -- \\"x\\""'

describe('a script that is added to a package.json', () => {
  it.each([
    [
      'two blanks',
      '{\n  "name": "a",\n  "scripts": {\n    "dev": "vite"\n  },\n  "b": 1\n}\n',
      '    "dev": "vite"',
      ',\n    ',
    ],
    ['tabs', '{\n\t"scripts": {\n\t\t"dev": "vite"\n\t}\n}', '"dev": "vite"', ',\n\t\t'],
    ['CRLF', '{\r\n    "scripts": {\r\n        "dev": "vite"\r\n    }\r\n}\r\n', '"dev": "vite"', ',\r\n        '],
    ['a byte order mark', '\uFEFF{\n "scripts": {\n  "dev": "vite"\n }\n}', '"dev": "vite"', ',\n  '],
    ['one line', '{"scripts":{"dev":"vite"}}', '"dev":"vite"', ', '],
    ['no scripts', '{\n  "name": "a"\n}\n', '"name": "a"', ',\n  "scripts": {\n    '],
    ['no scripts and tabs', '{\n\t"name": "a"\n}\n', '"name": "a"', ',\n\t"scripts": {\n\t\t'],
    ['an empty object in CRLF', '{\r\n  "name": "a",\r\n  "scripts": {}\r\n}', '"scripts": {', '\r\n    '],
    ['scripts in one line of many', '{\n  "scripts": { "dev": "vite" }\n}', '"dev": "vite"', ', '],
    [
      'nested texts that look like it',
      '{\n  "a": { "scripts": {} },\n  "b": "\\"scripts\\": {"\n}',
      'scripts\\": {"',
      ',\n  "scripts": {\n    ',
    ],
  ])('stands where it belongs, and all else stays: %s', (_, text, before, gap) => {
    const changed = added(text)
    expect(changed).toContain(before + gap + script)
    const at = changed.indexOf(before) + before.length
    const rest = text.slice(text.indexOf(before) + before.length)
    expect([
      changed.startsWith(text.slice(0, text.indexOf(before) + before.length)),
      changed.endsWith(rest.trimStart()),
    ]).toEqual([true, true])
    expect(changed.slice(at).length).toBeGreaterThan(rest.length)
  })

  it.each(['{}', '{\n}\n', '{ }', '{"scripts":{}}', '{\n  "scripts": {\n  }\n}'])('goes into %j', text => {
    expect(readManifest(added(text)).value).toEqual({ scripts: { 'dev:auth': 'rxauth dev -- "x"' } })
  })

  // Promise: init-command
  it('changes no other value of any object, in any form', () => {
    const members = fc.dictionary(
      fc.string().filter(key => key !== '__proto__'),
      fc.jsonValue(),
    )
    const forms = fc.constantFrom(undefined, 1, 2, 4, '\t')
    fc.assert(
      fc.property(
        members,
        fc.dictionary(fc.string(), fc.string()),
        forms,
        fc.boolean(),
        (value, scripts, form, isWindows) => {
          const text = JSON.stringify({ ...value, scripts }, null, form)
          const changed = added(isWindows ? text.replaceAll('\n', '\r\n') : text)
          const expected = { ...value, scripts: { ...scripts, 'dev:auth': 'rxauth dev -- "x"' } }
          expect(JSON.stringify(JSON.parse(changed))).toBe(JSON.stringify(JSON.parse(JSON.stringify(expected))))
        },
      ),
    )
  })

  it('goes into a text of ten megabytes, nested a thousand times', () => {
    const deep = `${'['.repeat(1000)}${']'.repeat(1000)}`
    const text = `{\n  "a": ${deep},\n  "b": "${'x'.repeat(10_000_000)}",\n  "scripts": {}\n}`
    expect(added(text)).toHaveLength(text.length + script.length + '\n    \n  '.length)
  })
})

describe('the type that is added to a package.json', () => {
  it.each([
    ['{}', '{\n  "type": "module"\n}'],
    ['{"a":1}', '{"a":1, "type": "module"}'],
    ['{\r\n\t"a": {}\r\n}\r\n', '{\r\n\t"a": {},\r\n\t"type": "module"\r\n}\r\n'],
    ['\uFEFF{\n    "a": { "type": "b" }\n}\n', '\uFEFF{\n    "a": { "type": "b" },\n    "type": "module"\n}\n'],
  ])('makes of %j %j', (text, expected) => expect(withValue(text, ['type'], 'module')).toBe(expected))
})

describe('a package.json that is none', () => {
  it.each([
    ['{\n  "a": 1,\n}', 3],
    ['{\n  "a": 1\n  "b": 2\n}', 3],
    ['{\r\n  "a": x\r\n}', 2],
    ['{ a: 1 }', 1],
    ['{\n  "a": [1, 2\n', 3],
    ['{\n  "a": "b\n"\n}', 2],
    ['', 1],
    ['{}\n}', 2],
    ['{\n  // a comment\n  "a": 1\n}', 2],
  ])('%j is refused with line %i', (text, line) => {
    expect(() => readManifest(text)).toThrow(`package.json is not valid JSON, in line ${line}`)
  })

  it.each([
    ['[]', 'package.json must have an object'],
    ['{ "scripts": "vite" }', '"scripts" of package.json must be an object'],
    ['{ "scripts": null }', '"scripts" of package.json must be an object'],
    ['{ "scripts": {}, "scripts": {} }', 'package.json has "scripts" twice: leave one of them'],
  ])('%s is refused', (text, message) => expect(() => added(readManifest(text).text)).toThrow(message))
})
