import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import llms from 'vitepress-plugin-llms'
import { pagesOfGitHub, slugify } from './markdown.mjs'
import { accessibleTheme } from './accessible.mjs'
import { runnableBlocks } from './run/markdown.ts'
import { runPrograms, writePrograms } from './run/plugin.ts'
import { writeRegistry } from '../../react/example/screens.mjs'
import { promisesPage } from '../../test/docs/contracts.ts'
import { search } from './search.ts'
import { contents, homepage, pageAt, repository, sidebar } from './pages.mjs'

/** A wave that goes on. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#b3187f"/><path d="M5 19c4-12 8-12 11-3s7 9 11-3" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round"/></svg>'

/** The page of promises, with the tests that are marked with them. */
const promises = {
  name: 'promises',
  enforce: 'pre',
  transform: (_, id) =>
    id.endsWith('/contributing/contracts.md')
      ? promisesPage(fileURLToPath(new URL('../../', import.meta.url)))
      : undefined,
}

export default defineConfig({
  title: 'rxauth',
  description:
    'Authentication and user management for TypeScript: every entity a live stream, the platform in process.',
  lang: 'en',
  sitemap: { hostname: homepage },
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  cleanUrls: true,
  // `npm run docs:build -- --base /rxauth/` builds it for a folder.
  base: '/',
  srcExclude: ['contributing/api-report/**'],
  rewrites: pageAt,
  // The mailbox of the platform that the reader has started.
  ignoreDeadLinks: [/^http:\/\/localhost:8102\//],
  vite: {
    plugins: [
      accessibleTheme(),
      runPrograms(),
      promises,
      llms({
        title: 'rxauth',
        toc: contents(),
        ignoreFiles: ['contributing/**'],
        ignoreFilesPerOutput: { llmsFullTxt: ['api/**'] },
      }),
    ],
  },
  async buildEnd(site) {
    await writePrograms(site)
    writeRegistry(join(site.outDir, 'r'))
  },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify },
    attrs: { disable: true },
    config(md) {
      // First: a program is found by the text of its block.
      runnableBlocks(md)
      pagesOfGitHub(md)
    },
  },
  themeConfig: {
    notFound: {
      title: 'There is no such page',
      quote: 'Search for what it was about, or begin at the list of pages.',
      linkText: 'Start page',
    },
    sidebar: sidebar(),
    outline: [2, 3],
    nav: [
      { text: 'Guides', link: '/getting-started' },
      { text: 'Testing', link: '/testing' },
      { text: 'Reference', link: '/api/' },
      { text: 'Errors', link: '/errors' },
    ],
    socialLinks: [{ icon: 'github', link: repository, ariaLabel: 'rxauth on GitHub' }],
    search,
  },
})
