/** @jest-environment ./test/setup/jsdom-environment.ts */
import '@angular/compiler'
import { provideZonelessChangeDetection } from '@angular/core'
import { createApplication } from '@angular/platform-browser'
import { NavigationEnd, provideRouter, Router as AngularRouter } from '@angular/router'
import type { CanActivateFn, UrlTree } from '@angular/router'
import type { Decision, Need } from 'rxauth'
import { needGuard, RXAUTH } from 'rxauth/angular'
import { createApp, defineComponent, h } from 'vue'
import { createRouter, createWebHashHistory, createWebHistory, RouterView, type Router } from 'vue-router'
import { credentialsOf } from '../../tabs'
import { ada, world } from '../../world'
import { fileOf, pages, type Start } from './scenario'
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

it('the function for hash routers goes to the sign-in behind the #, and the sign-in comes back', async () => {
  window.history.replaceState(null, '', '/app?x=1#/')
  const { newApp, settled, clock } = await world()
  const urls = { handler: '/app#/handler', home: '/app#/' }
  const app = newApp({ urls, navigate: url => void router.push(url.replace(/^[^#]*#/, '')) })
  const { elsewhere } = await fileOf<{ elsewhere(route: string, need: Need): Promise<string | undefined> }>(
    'src/elsewhere.ts',
    { auth: { app } },
  )
  const routes = Object.keys(pages).map(path => ({ path, component: defineComponent(() => () => null) }))
  const router = createRouter({ history: createWebHashHistory(), routes })
  router.beforeEach(async ({ fullPath, path }) => {
    const { need } = pages[path]!
    return (need && (await elsewhere(fullPath, need))) ?? true
  })
  await settled(router.push('/secret?tab=2'))
  expect(router.currentRoute.value.path).toBe('/handler/sign-in')
  const result = await settled(app.signInWithPassword(credentialsOf(ada)))
  expect(result).toMatchObject({ value: { next: '/app?x=1#/secret?tab=2' } })
  void app.navigateAfterAuth(result)
  await clock.advance(2000)
  expect(router.currentRoute.value.fullPath).toBe('/secret?tab=2')
  expect(window.location.href).toBe('http://localhost/app?x=1#/secret?tab=2')
})
