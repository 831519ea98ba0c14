// Writes what the package has beside its pages, `llms.txt` and the files of each guide: `node test/docs/package-docs.mjs <folder>`.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = resolve(process.argv[2])
const read = path => readFileSync(join(root, path), 'utf8')

function write(path, text) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** The files that a guide shows, each under the path in its fence. */
function examplesOf(guide) {
  const fences = read(`docs/guides/${guide}`).matchAll(/^```\w+ (?:[^\n]* )?file:(\S+)[^\n]*\n([^]*?)^```$/gm)
  // Those without a condition: an app has no file instead of another that it has.
  return [...fences]
    .filter(([line]) => !/ (instead|when):/.test(line.split('\n')[0]))
    .map(([, path, code]) => ({ path: join(guide.replace(/\.md$/, ''), path), code }))
}

/** The list of pages in docs/README.md, as llmstxt.org has it: a title, a summary, and a link and a line for each page. */
function llmsText() {
  const { description } = JSON.parse(read('package.json'))
  const list = read('docs/README.md').replace(/^[^]*?(?=^## )/m, '')
  const lines = list.replace(/\n {2,}(?=\S)/g, ' ').replaceAll(/\]\((?!https?:)/g, '](docs/')
  const first = '- [Instructions for coding agents](AGENTS.md): what to import where, and ten mistakes.'
  return `# rxauth\n\n> ${description}\n\n${first}\n\n${lines}`
}

rmSync(join(folder, 'dist/examples'), { recursive: true, force: true })
for (const guide of readdirSync(join(root, 'docs/guides')))
  for (const { path, code } of examplesOf(guide)) write(join('dist/examples', path), code)
write('llms.txt', llmsText())
