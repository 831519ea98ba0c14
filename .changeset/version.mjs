// Turns the changesets into the next version, the changelog and src/core/version.ts: `npm run version`.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const read = path => readFileSync(path, 'utf8')
const changesets = fileURLToPath(import.meta.resolve('@changesets/cli/bin.js'))

const manifest = read('package.json')
let next
try {
  // Of a package with workspaces, Changesets knows the workspaces only.
  writeFileSync('package.json', JSON.stringify({ ...JSON.parse(manifest), workspaces: undefined }))
  execFileSync(process.execPath, [changesets, 'version'], { stdio: 'inherit' })
  next = JSON.parse(read('package.json')).version
} finally {
  writeFileSync('package.json', manifest)
}

function write(path, version) {
  const text = read(path)
  if (!version.test(text)) throw new Error(`${path} has no version`)
  writeFileSync(path, text.replace(version, next))
}
write('package.json', /(?<=^ {2}"version": ")[^"]*/m)
for (const version of [/(?<=^ {2}"version": ")[^"]*/m, /(?<=^ {6}"version": ")[^"]*/m])
  write('package-lock.json', version)
// The version travels with every request.
write('src/core/version.ts', /(?<=^export const version = ')[^']*/m)
