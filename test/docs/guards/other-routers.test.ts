/** @jest-environment ./test/setup/jsdom-environment.ts */
import './angular-compiler'
import { provideZonelessChangeDetection } from '@angular/core'
import { createApplication } from '@angular/platform-browser'
import { NavigationEnd, provideRouter, Router as AngularRouter } from '@angular/router'
import type { CanActivateFn } from '@angular/router'
import { onIdentityChange } from 'rxauth'
import type { Need } from 'rxauth'
import { createApp, defineComponent, h } from 'vue'
import { createRouter, createWebHistory, RouterView } from 'vue-router'
import type { Router } from 'vue-router'
import { pages } from './scenario'
import type { Start } from './scenario'
import { holdsFor } from './scenes'

const vueRouter: Start = async ({ file }) => {
  const { guardAll } = await file<{ guardAll(router: Router): void }>('src/guard-all.ts')
  const router = createRouter({
    history: createWebHistory(),
    routes: Object.entries(pages).map(([path, { text, need }]) => ({
      path,
      component: defineComponent(() => () => text),
      meta: { ...(need && { need: () => need }) },
    })),
  })
  guardAll(router)
  const app = createApp(() => h(RouterView))
  app.use(router)
  app.mount(document.body.appendChild(document.createElement('main')))
  return {
    go: (path, replace) => void (replace ? router.replace(path) : router.push(path)),
    dispose: () => app.unmount(),
  }
}

const angular: Start = async ({ app, file }) => {
  const { guard } = await file<{ guard(need: Need): CanActivateFn }>('src/angular-guard.ts')
  const routes = Object.entries(pages).map(([path, { need }]) => ({
    path: path.slice(1),
    ...(need && { canActivate: [guard(need)] }),
    runGuardsAndResolvers: 'always' as const,
    children: [],
  }))
  const page = await createApplication({ providers: [provideZonelessChangeDetection(), provideRouter(routes)] })
  const router = page.injector.get(AngularRouter)
  router.events.subscribe(event => {
    if (event instanceof NavigationEnd)
      document.body.textContent = pages[new URL(router.url, 'http://x').pathname]!.text
  })
  router.initialNavigation()
  const stop = onIdentityChange(app, () => void router.navigateByUrl(router.url, { onSameUrlNavigation: 'reload' }))
  return {
    go: (path, replaceUrl = false) => void router.navigateByUrl(path, { replaceUrl }),
    dispose() {
      stop()
      page.destroy()
    },
  }
}

describe('the guard for Angular', () => holdsFor(angular))
describe('the guard for Vue Router', () => holdsFor(vueRouter))
