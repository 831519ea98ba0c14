// The notices of packages that are published inside of this one.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A module of a package, also of one that another package has for itself. */
const inPackage = /^(?<folder>.*\/node_modules\/(?<name>(?:@[^/]+\/)?[^/]+))\//

/** The texts of a package's folder: its licence, and what the licence asks to be passed on with it. */
function textsOf(folder) {
  const files = readdirSync(folder).filter(file => /^(licen[cs]e|copying|notice)/i.test(file))
  const { license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const texts = files.sort().map(file => readFileSync(join(folder, file), 'utf8').trim())
  if (files.some(file => !/^notice/i.test(file))) return texts
  const by = typeof author === 'object' ? author.name : author
  // It asks for nothing.
  if (license === 'Unlicense') return [...texts, `The Unlicense: dedicated to the public domain by ${by}.`]
  // Published without its text, which is that of this package but for the name.
  if (license !== 'MIT' || !by) throw new Error(`${folder} has no licence to publish`)
  const own = readFileSync(join(import.meta.dirname, 'LICENSE'), 'utf8').trim()
  return [...texts, own.replace(/^Copyright.*$/m, `Copyright (c) ${by}`)]
}

/** The notice of each package that has one of these modules, by name; several versions of a package are one notice. */
export function noticesOf(modules) {
  const folders = new Map()
  for (const module of modules) {
    const { folder, name } = inPackage.exec(module.replaceAll('\\', '/'))?.groups ?? {}
    if (name !== undefined) folders.set(folder, name)
  }
  const notices = new Map()
  for (const [folder, name] of folders) {
    const texts = notices.get(name) ?? new Set()
    for (const text of textsOf(folder)) texts.add(text)
    notices.set(name, texts)
  }
  return new Map([...notices].map(([name, texts]) => [name, `${[...texts].join('\n\n')}\n`]))
}

/** Publishes the notices of these modules beside a bundle: `licences/react.txt`. */
export function emitNotices(build, modules) {
  for (const [name, source] of noticesOf(modules))
    build.emitFile({ type: 'asset', fileName: `licences/${name.replace('/', '-')}.txt`, source })
}

/** Publishes the notices of all packages in a build. */
export function notices() {
  return {
    name: 'notices',
    generateBundle() {
      emitNotices(this, this.getModuleIds())
    },
  }
}
