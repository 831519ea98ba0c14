import { returnedJsx } from '../../../src/platform/mail/returned-jsx'
import { countedText } from '../counted-text'

/** What begins where the JSX was found; null: none was. */
function found(source: string): string | null {
  const at = returnedJsx(source, 0)
  return at < 0 ? null : source.slice(at)
}

describe('the JSX that a function returns', () => {
  it.each([
    'return <p />',
    'return(<p />',
    'return (\n  <p />',
    'return ( ( <p />',
    '() => <p />',
    '() =>\n(<p />',
    'return /* a comment */ (// another\n <p />',
  ])('is found: %s', source => {
    expect(found(source)).toBe('<p />')
  })

  it.each([
    ['a comment in a line', '// => <a />\n'],
    ['a comment', '/* return <a />\n => <a /> */'],
    ['a string', '"return <a />"'],
    ['a string in apostrophes', "'it\\'s => <a />'"],
    ['a template string', '`return <a />\n\\` => <a />`'],
    ['the name of something else', 'const returned = 1, $return = a\n$return <a'],
    ['a comparison', 'return a < b'],
    ['a return of something else', 'return a\n<a />'],
    ['a quote of a regular expression', '/"/\n'],
  ])('is not looked for in %s', (_, before) => {
    expect(found(before)).toBeNull()
    expect(found(`${before}\nreturn <p />`)).toBe('<p />')
  })

  it.each(['"', "'", '`', '/*', '//', '=>', 'return', 'return(', '\\', '"\\', '/* */', '"a" '])(
    'is looked for in a few reads of each character: %s',
    part => {
      const counted = countedText(part.repeat(20_000))
      expect(returnedJsx(counted.text, 0)).toBe(-1)
      expect(counted.steps()).toBeLessThan(20 * counted.text.length)
    },
  )
})
