// Whether the sources in the working directory are those of this tag: `npm run check-release v0.1.0`.
import { readdirSync, readFileSync } from 'node:fs'

const [, , tag = 'no tag'] = process.argv
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const [, text = ''] = readFileSync('CHANGELOG.md', 'utf8').split(`\n## ${version}\n`)
const pending = readdirSync('.changeset').filter(name => name.endsWith('.md') && name !== 'README.md')

const problems = [
  tag !== `v${version}` && `the tag is ${tag}, the version in package.json is ${version}`,
  !/^\s*[^#\s]/.test(text.split('\n## ')[0].replace(/^#.*$/gm, '')) && `CHANGELOG.md says nothing about ${version}`,
  pending.length > 0 && `npm run version has not been run: ${pending.join(', ')}`,
].filter(Boolean)

for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
