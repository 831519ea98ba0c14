import { execFileSync } from 'node:child_process'
import ts from 'typescript'
import { drawMarkup } from '../../src/platform/mail/tsx-template'
import { readExamples, root } from './blocks'

const cases: readonly (readonly [source: string, shown: string])[] = [
  ['', ''],
  ['one<br>two', 'one<br>two'],
  ['<p style="color: red; font-size: 12px">red</p>', '<p style="color:red;font-size:12px">red</p>'],
  ['<p>one<p>two', '<p>one</p><p>two</p>'],
  ['<P>one</P>', '<p>one</p>'],
  ['<b><i>x</b></i>', '<b><i>x</i></b>'],
  ['<img src=a.png alt=\'say "a" {b}\'>', '<img src="a.png" alt="say &quot;a&quot; {b}">'],
  ['1 < 2 > {x} } "q" \\n', '1 &lt; 2 &gt; {x} } &quot;q&quot; \\n'],
  ['a &amp; b &copy; &nbsp;&#33;', 'a &amp; b © \u00a0!'],
  ['one<!-- two -->three', 'onethree'],
  ['<!doctype html><html><head></head><body><p>one</p></body></html>', '<p>one</p>'],
  ['<style>p { color: red }</style><p>one</p>', '<style>p { color: red }</style><p>one</p>'],
  ['<pre>a\n b</pre>', '<pre>a\n b</pre>'],
  ['<a class="x" href="https://a.de/?b=1&c=2">one</a>', '<a class="x" href="https://a.de/?b=1&amp;c=2">one</a>'],
]

describe('the function that makes a mail of ordinary HTML', () => {
  let made: string[]
  beforeAll(() => {
    const recipe = readExamples('docs/notification-preferences.md').find(({ file }) => file === 'mail-html.ts')!
    const { outputText } = ts.transpileModule(recipe.code, { compilerOptions: { target: ts.ScriptTarget.ES2022 } })
    const sources = JSON.stringify(cases.map(([source]) => source))
    // Its packages are ES modules, which Jest cannot load.
    const printed = execFileSync(process.execPath, ['--input-type=module'], {
      cwd: root,
      input: `${outputText}\nconsole.log(JSON.stringify(${sources}.map(mailHtml)))`,
      encoding: 'utf8',
    })
    made = JSON.parse(printed) as string[]
  })

  it.each(cases.map((each, index) => [...each, index] as const))('keeps the meaning of %j', async (_, shown, index) => {
    expect(await drawMarkup(made[index]!)).toEqual({ html: shown })
  })

  it('is needed for most of them', async () => {
    const drawn = await Promise.all(cases.map(([source]) => drawMarkup(source)))
    expect(drawn.filter(each => 'error' in each).length).toBeGreaterThan(8)
  })
})
