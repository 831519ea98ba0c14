import type { App, Framework } from './programs'

/** What the tool of a framework writes into a new app: what loads the component of the page, and where it shows. */
export const newApps: Readonly<Record<Framework, { readonly main: string; readonly body: string }>> = {
  angular: {
    // The compiler is there before what it compiles is loaded.
    main: `import '@angular/compiler'
const { provideZonelessChangeDetection } = await import('@angular/core')
const { bootstrapApplication } = await import('@angular/platform-browser')
const { App } = await import('./src/app/app')
const { appConfig } = await import('./src/app/app.config')
await bootstrapApplication(App, { providers: [provideZonelessChangeDetection(), ...appConfig.providers] })`,
    body: '<app-root></app-root>',
  },
  react: {
    main: `import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import App from './src/App'
createRoot(document.getElementById('root')).render(createElement(App))`,
    body: '<div id="root"></div>',
  },
  solid: {
    main: `import { createComponent, render } from 'solid-js/web'
import App from './src/App'
render(() => createComponent(App, {}), document.getElementById('root'))`,
    body: '<div id="root"></div>',
  },
  svelte: {
    main: `import { mount } from 'svelte'
import App from './src/App.svelte'
mount(App, { target: document.getElementById('app') })`,
    body: '<div id="app"></div>',
  },
  typescript: { main: "import './src/main'", body: '<div id="app"></div>' },
  vue: {
    main: `import { createApp } from 'vue'
import App from './src/App.vue'
createApp(App).mount('#app')`,
    body: '<div id="app"></div>',
  },
}

/** The page of a frame. It sends no request: the platform runs in it. */
export function pageOf({ body, heading }: App, script: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="connect-src 'none'">
<title>${heading}</title>
<script type="module" src="${script}"></script>
<base href="/">
<style>
:root { color-scheme: light; font: 15px/1.6 system-ui, sans-serif; color: #24242b }
:root.dark { color-scheme: dark; color: #ececf0 }
body { margin: 4px }
p { margin: 0 0 .75rem }
p:empty { display: none }
input { margin: 0 .4rem .4rem 0; padding: .3rem .5rem; border: 1px solid currentcolor; border-radius: .4rem; font: inherit; color: inherit; background: none }
button { margin: 0 .4rem .4rem 0; padding: .35rem .9rem; border: 1px solid currentcolor; border-radius: .4rem; font: inherit; color: inherit; background: none; cursor: pointer }
button:focus-visible { outline: 2px solid currentcolor; outline-offset: 2px }
</style>
<body>
<main>${body}</main>
</body>
</html>
`
}
