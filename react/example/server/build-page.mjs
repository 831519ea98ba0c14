// `node build-page.mjs FOLDER` builds the page into this folder of the repository, in place of what is there.
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPage } from './page-server.mjs'

const outDir = resolve(fileURLToPath(new URL('../../../', import.meta.url)), process.argv[2])
await rm(outDir, { recursive: true, force: true })
await buildPage(outDir)
