import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'

const example = join(__dirname, '../../react/example')

/** What an app copies: these files, and all that they import relatively. */
const entries = [
  'sign-in/pages.ts',
  'shell/impersonation-bar.tsx',
  'shell/screen.tsx',
  'shell/session-limit-dialog.tsx',
  'shell/user-menu.tsx',
  'settings/pages.ts',
  'teams/pages.ts',
  'teams/team-switcher.tsx',
  'ui/toasts.tsx',
].filter(entry => existsSync(join(example, entry)))

const foldersOfScreens = ['sign-in', 'handlers', 'shell', 'ui', 'words', 'settings', 'teams', 'api-keys']
const packages = [/^react(-dom)?$/, /^rxauth$/, /^rxauth\/react$/, /^@heroicons\/react\/24\/(outline|solid)$/, /^uqr$/]
const seam = 'ui/navigation.tsx'

/** Of Bootstrap 5, Bulma, daisyUI and Foundation, and of the page that Vite makes. */
const frameworkClasses =
  'accordion alert avatar badge box breadcrumb btn button callout card carousel cell chat checkbox close col collapse column content divider dock drawer dropdown fade field fieldset file filter footer hero hidden icon image indicator input invisible join kbd label level link list loading logo mark mask media menu message modal nav navbar notification pagination panel placeholder popover progress radio range rating ratio reveal row section select show skeleton small stack stat status step steps subtitle swap switch tab table tabs tag textarea thumbnail tile timeline title toast toggle tooltip visible'.split(
    ' ',
  )

/** Those whose texts are all in `words`. */
const foldersWithWords = ['sign-in', 'handlers', 'settings', 'teams', 'api-keys', 'shell', 'ui', 'app', 'home', 'notes']

describe('the screens, which an app copies,', () => {
  const screens = closureOf(entries)

  it('need no part of the example, no bundler, and no other package', () => {
    expect(screens.size).toBeGreaterThan(50)
    const wrong = [...screens].flatMap(([file, imported]) => [
      ...imported.filter(name => !isAllowed(name, file)).map(name => `${file} imports ${name}`),
      ...(textOf(file).includes('import.meta') ? [`${file} needs a bundler`] : []),
    ])
    expect(wrong).toEqual([])
  })

  it('know the router in one file', () => {
    const all = [...new Set([...screens.keys(), ...foldersOfScreens.flatMap(filesOf)])]
    expect(all.filter(file => importsOf(file).some(name => name.startsWith('wouter')))).toEqual([seam])
  })

  it('style nothing outside of elements with the class auth', () => {
    const css = textOf('screens.css').replaceAll(/\/\*[\s\S]*?\*\//g, '')
    expect(css.match(/^[^\s}].*/gm)).toEqual([
      ":where(:root:not(:has(> head > meta[name='color-scheme']))) {",
      ":where(:root:has(> head > meta[name='color-scheme'][content*='dark'])) {",
      '.auth:not(:where(.auth *)) {',
      '.auth {',
      '@keyframes auth-turn {',
      '@keyframes auth-pulse {',
    ])
  })

  it('have no class that a framework of styles has, too', () => {
    const own = new Set(Array.from(textOf('screens.css').matchAll(/\.([a-z][a-z-]*)/g), ([, name]) => name))
    expect(frameworkClasses.filter(name => own.has(name))).toEqual([])
  })

  it('read from right to left, too', () => {
    const physical = /\b(left|right)\b/
    const lines = ['screens.css', 'app/app.css', 'admin/admin.css'].flatMap(file => textOf(file).split('\n'))
    expect(lines.filter(line => physical.test(line))).toEqual([])
  })

  it.each(foldersWithWords)('have no text in %s outside of `words`', folder => {
    expect(filesOf(folder).flatMap(textsIn)).toEqual([])
  })
})

function isAllowed(name: string, from: string): boolean {
  if (name.startsWith('wouter')) return from === seam
  if (!name.startsWith('.')) return packages.some(allowed => allowed.test(name))
  return foldersOfScreens.includes(resolved(name, from).split('/')[0]!)
}

function filesOf(folder: string): string[] {
  return readdirSync(join(example, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => /\.tsx?$/.test(file))
    .map(file => `${folder}/${file.replaceAll('\\', '/')}`)
}

function textOf(file: string): string {
  return readFileSync(join(example, file), 'utf8')
}

function importsOf(file: string): string[] {
  return ts.preProcessFile(textOf(file)).importedFiles.map(({ fileName }) => fileName)
}

/** The path of an imported file within the example. */
function resolved(name: string, from: string): string {
  const path = join(example, from, '..', name)
  const file = ['.tsx', '.ts', ''].map(end => path + end).find(each => existsSync(each))
  if (file === undefined) throw new Error(`${from} imports ${name}, which is not there`)
  return relative(example, file).replaceAll('\\', '/')
}

/** Each file that the entries lead to, with what it imports. */
function closureOf(files: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const open = [...files]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file)) continue
    const imported = importsOf(file)
    found.set(file, imported)
    for (const name of imported) if (name.startsWith('.')) open.push(resolved(name, file))
  }
  return found
}

/** Attributes that people see or hear. Texts of any other one are names: classes, addresses, types. */
const visible =
  /^(aria-(label|description|valuetext|roledescription)|title|label|legend|placeholder|alt|hint|subtitle|description|empty|emptyProblem|question|consequence|answer|submit|savedText|detail|reason|wayOn|name|notice|below|error|inline)$/

/** The brand, names of providers, browsers and languages, the example's own table, and what is for developers. */
const sameInAll =
  /^(shell\/brand|sign-in\/providers|settings\/sessions\/devices|app\/(words|language|backend|color-scheme))\.tsx?:|'the page threw'$/

/** A word that begins a text, or two words. Names in code have neither spaces nor a capital letter before a small one. */
const sentence = /^\p{Lu}\p{Ll}|\p{L}[,.:]? \p{L}/u

/** The texts that a file would show in one language only. */
function textsIn(file: string): string[] {
  const source = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
  const found: string[] = []
  const add = (node: ts.Node) =>
    found.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${node.getText().trim()}`)
  const visit = (node: ts.Node, isShown: boolean) => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return
    if (ts.isJsxText(node)) {
      if (/\p{L}/u.test(node.text)) add(node)
    } else if (ts.isJsxAttribute(node)) {
      const name = node.name.getText()
      if (visible.test(name)) ts.forEachChild(node, child => visit(child, true))
      else if (node.initializer && ts.isJsxExpression(node.initializer)) visitOther(node.initializer, name)
      return
    } else if (ts.isJsxElement(node)) {
      visit(node.openingElement, false)
      for (const child of node.children) visit(child, true)
      return
    } else if (ts.isJsxSelfClosingElement(node) || ts.isJsxOpeningElement(node)) {
      ts.forEachChild(node, child => visit(child, false))
      return
    } else if (isComparison(node)) {
      return
    } else if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) {
      if (isShown ? /\p{L}{2}/u.test(node.text) : sentence.test(node.text)) add(node)
    }
    ts.forEachChild(node, child => visit(child, isShown && !ts.isCallExpression(node) && !isFunction(node)))
  }
  const visitOther = (node: ts.Node, name: string) => {
    // Its words are classes, or what a browser takes.
    if (!/^(className|autoComplete|style|accept)$/.test(name)) visit(node, false)
  }
  visit(source, false)
  return found.filter(text => !sameInAll.test(text))
}

/** `event.key === 'Tab'`, `case 'Tab':`. */
function isComparison(node: ts.Node): boolean {
  return ts.isBinaryExpression(node) && /^[!=]==$/.test(node.operatorToken.getText())
}

function isFunction(node: ts.Node): boolean {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node)
}
