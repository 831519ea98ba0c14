import type { Declaration, Declarations } from './declarations'

/** Shorter texts (`id`, `GET`) occur in any code and identify no definition. */
const tellingLength = 8

/** The definitions that an app which imports `names` must not contain: none of its imports refers to them. */
export function unneeded(declarations: Declarations, names: readonly string[]): Declaration[] {
  const needed = declarations.neededBy(names)
  return [...new Set(declarations.exported.values())].filter(declaration => !needed.has(declaration))
}

/**
 * The unneeded definitions in a bundle, each with the text that identifies it.
 *
 *  `code` is our code only, not minified: dependencies are excluded, since they use some of the same names.
 */
export function bleeding(code: string, declarations: Declarations, names: readonly string[]): string[] {
  const needed = [...declarations.neededBy(names)]
  const rightful = new Set(needed.flatMap(({ strings }) => [...strings]))
  const rightfulNames = new Set(needed.map(({ name }) => name))
  return unneeded(declarations, names).flatMap(({ name, file, strings }) => {
    const texts = [...strings].filter(text => text.length >= tellingLength && !rightful.has(text))
    const traces = texts.filter(text => code.includes(JSON.stringify(text))).map(text => `"${text}"`)
    // A bundler numbers the second declaration of a name; the first one is another declaration that the app needs.
    if (declares(code, rightfulNames.has(name) ? `${name}2` : name)) traces.unshift(name)
    return traces.length > 0 ? [`${name} (${file}): ${traces.join(', ')}`] : []
  })
}

/** At the top level of the bundle; inside a function it is a variable of the same name. */
function declares(code: string, name: string): boolean {
  const escaped = name.replace(/\$/g, '\\$')
  return new RegExp(`^(?:async )?(?:var|let|const|class|function\\*?) ${escaped}(?![\\w$])`, 'm').test(code)
}
