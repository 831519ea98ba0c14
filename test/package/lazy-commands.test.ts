import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './sources'

/** The files of the program that Node loads at its start: those that are imported, and not by `import()`. */
function loadedAtStart(file: string, found = new Map<string, string>()): ReadonlyMap<string, string> {
  if (found.has(file)) return found
  const text = readFileSync(file, 'utf8')
  found.set(file, text)
  for (const [, path = ''] of text.matchAll(
    /^(?:import|export)\b[^'"]*?from ['"](\.[^'"]+)['"]|^import ['"](\.[^'"]+)['"]/gm,
  ))
    loadedAtStart(join(dirname(file), path), found)
  return found
}

it('rxauth config is loaded only when it is asked for', () => {
  const own = 'keep it out of version control'
  const texts = [...loadedAtStart(join(root, 'dist/platform-bin.js')).values()]
  expect(texts.length).toBeGreaterThan(1)
  expect(texts.filter(text => text.includes(own))).toEqual([])
  const chunk = /import\('(\.[^']+command[^']*)'\)/.exec(texts.join('\n'))?.[1] ?? ''
  expect(readFileSync(join(root, 'dist/node/chunks', chunk), 'utf8')).toContain(own)
})
