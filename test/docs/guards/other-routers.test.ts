/** @jest-environment ./test/setup/jsdom-environment.ts */
import '@angular/compiler'
import { provideZonelessChangeDetection } from '@angular/core'
import { createApplication } from '@angular/platform-browser'
import { NavigationEnd, provideRouter, Router as AngularRouter } from '@angular/router'
import type { CanActivateFn, UrlTree } from '@angular/router'
import type { Decision } from 'rxauth'
import { needGuard, RXAUTH } from 'rxauth/angular'
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

const decisions: Readonly<Record<string, Decision['decision']>> = {
  '': 'allow',
  '/handler/sign-in': 'sign-in',
  '/handler/email-verification': 'verify',
}

const angular: Start = async ({ app, decided }) => {
  const watched = (guard$: CanActivateFn): CanActivateFn => {
    return async (...args) => {
      const outcome = await (guard$(...args) as Promise<true | UrlTree>)
      const page = outcome === true ? '' : outcome.toString().split('?')[0]!
      decided(decisions[page] ?? 'forbidden')
      return outcome
    }
  }
  const routes = Object.entries(pages).map(([path, { need }]) => ({
    path: path.slice(1),
    ...(need && { canActivate: [watched(needGuard(need))] }),
    children: [],
  }))
  const page = await createApplication({
    providers: [provideZonelessChangeDetection(), provideRouter(routes), { provide: RXAUTH, useValue: app }],
  })
  const router = page.injector.get(AngularRouter)
  router.events.subscribe(event => {
    if (event instanceof NavigationEnd)
      document.body.textContent = pages[new URL(router.url, 'http://x').pathname]!.text
  })
  router.initialNavigation()
  return {
    go: (path, replaceUrl = false) => void router.navigateByUrl(path, { replaceUrl }),
    dispose: () => page.destroy(),
  }
}

describe('the guard for Angular', () => holdsFor(angular))
describe('the guard for Vue Router', () => holdsFor(vueRouter))
