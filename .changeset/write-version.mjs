// The version travels with every request, so the sources know it; this keeps them in step with package.json.
import { readFileSync, writeFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)
const file = new URL('src/core/version.ts', root)
const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
const declaration = /export const version = '[^']*'/

const source = readFileSync(file, 'utf8')
if (!declaration.test(source)) throw new Error("src/core/version.ts does not declare `export const version = '…'`")
writeFileSync(file, source.replace(declaration, `export const version = '${version}'`))
