import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../user-app/place'

/** A screen, a language or a part of them that `rxauth add` copies, in the form of shadcn's registries. */
export interface Item {
  readonly name: string
  readonly type: string
  readonly title: string
  readonly description: string
  /** The packages, with versions: `wouter@3`. */
  readonly dependencies: readonly string[]
  /** Names of items of the same list. */
  readonly registryDependencies?: readonly string[]
  readonly files: readonly { readonly path: string; readonly target: string }[]
  readonly meta: ItemMeta
}

/** How a user's app uses an item. */
export interface ItemMeta {
  /** The file that an app imports. */
  readonly entry: string
  /** The name of its export: a record of pages, a component or texts. */
  readonly exports: string
  /** The names of the pages that are the content of a frame, for signed-in users; the others are whole pages. */
  readonly framed?: readonly string[]
}

/** The screens in the package of rxauth. */
export interface Screens {
  /** The items that have a name for users, in the order of the list. */
  readonly items: readonly Item[]
  /** The files of these items and of what they depend on, by their path below the folder of the user's choice. */
  filesOf(items: readonly Item[], router: Router): readonly ScreenFile[]
  /** The packages that these files import. */
  packagesOf(items: readonly Item[], router: Router): readonly string[]
}

export interface ScreenFile {
  readonly path: string
  readonly text: string
}

/** The router of an app: each has its own file for the navigation. */
export type Router = 'wouter' | 'next' | 'react-router'

/** The first part of every target: shadcn puts it into `src` where there is one. */
const targetFolder = 'auth/'

/** Reads the list that the build has written. */
export function readScreens(folder = join(packageFolder(), 'dist/screens')): Screens {
  const file = join(folder, 'registry.json')
  if (!existsSync(file)) throw new Error(`the package of rxauth has no ${file}: install it anew`)
  const { items } = JSON.parse(readFileSync(file, 'utf8')) as { readonly items: readonly Item[] }
  const named = (name: string) => {
    const item = items.find(each => each.name === name)
    if (!item) throw new Error(`the screens of rxauth have no item ${name}: install rxauth anew`)
    return item
  }
  const withDependencies = (chosen: readonly Item[], router: Router) => {
    const names = chosen.flatMap(({ name, registryDependencies = [] }) => [name, ...registryDependencies])
    return [...new Set(names)].map(name =>
      named(name === 'navigation' && router !== 'wouter' ? `navigation-${router}` : name),
    )
  }
  return {
    items: items.filter(({ type }) => type === 'registry:block'),
    filesOf(chosen, router) {
      const files = new Map(
        withDependencies(chosen, router).flatMap(item => item.files.map(({ path, target }) => [target, path] as const)),
      )
      return [...files].sort().map(([target, path]) => {
        const text = readFileSync(join(folder, path), 'utf8').replaceAll('\r\n', '\n')
        // Only Next.js knows the directive; others warn of it.
        return { path: target.slice(targetFolder.length), text: router === 'next' ? text : withoutDirective(text) }
      })
    },
    packagesOf: (chosen, router) => [
      ...new Set(withDependencies(chosen, router).flatMap(({ dependencies }) => dependencies)),
    ],
  }
}

/** The text without `'use client'`. */
export function withoutDirective(text: string): string {
  return text.replace(/^'use client'\n\n/, '')
}
