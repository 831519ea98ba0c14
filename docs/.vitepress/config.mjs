import { defineConfig } from 'vitepress'
import llms from 'vitepress-plugin-llms'
import { pagesOfGitHub, slugify } from './markdown.mjs'
import { accessibleTheme } from './accessible.mjs'
import { runnableBlocks } from './run/markdown.ts'
import { runPrograms, writePrograms } from './run/plugin.ts'
import { search } from './search.mjs'
import { contents, pageAt, repository, sidebar } from './pages.mjs'

export default defineConfig({
  title: 'rxauth',
  description:
    'Authentication and user management for TypeScript: every entity a live stream, the platform in process.',
  lang: 'en',
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
      llms({
        title: 'rxauth',
        toc: contents(),
        ignoreFiles: ['contributing/**'],
        ignoreFilesPerOutput: { llmsFullTxt: ['api/**'] },
      }),
    ],
  },
  buildEnd: writePrograms,
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify },
    attrs: { disable: true },
    emoji: { defs: {}, shortcuts: {} },
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
