import { defineConfig } from 'vitepress'
import llms from 'vitepress-plugin-llms'
import { pagesOfGitHub, slugify } from './markdown.mjs'
import { repository, sidebar } from './pages.mjs'

export default defineConfig({
  title: 'rxauth',
  description:
    'Authentication and user management for TypeScript: every entity a live stream, the platform in process.',
  lang: 'en',
  // `npm run docs:build -- --base /rxauth/` builds it for a folder.
  base: '/',
  srcExclude: ['contributing/api-report/**'],
  rewrites: { 'README.md': 'pages.md', 'api/README.md': 'api/index.md' },
  // The mailbox of the platform that the reader has started.
  ignoreDeadLinks: [/^http:\/\/localhost:8102\//],
  // The delimiters of Vue are none of Markdown: pages show `{{ … }}`.
  vue: { template: { compilerOptions: { delimiters: ['<%vue', 'vue%>'] } } },
  vite: { plugins: [llms({ ignoreFiles: ['contributing/**', 'api/**'] })] },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify },
    attrs: { disable: true },
    emoji: { defs: {}, shortcuts: {} },
    config: pagesOfGitHub,
  },
  themeConfig: {
    sidebar: sidebar(),
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: repository, ariaLabel: 'rxauth on GitHub' }],
    search: { provider: 'local' },
  },
})
