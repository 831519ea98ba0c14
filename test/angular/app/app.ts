// The libraries of Angular are published for its compiler, which a build runs over them; here it runs in the page.
import '@angular/compiler'
import { Location } from '@angular/common'
import { HttpClient, provideHttpClient, withFetch, withInterceptors } from '@angular/common/http'
import { Component, inject, provideZonelessChangeDetection, signal, type ApplicationConfig } from '@angular/core'
import { provideRouter, Router, RouterLink, RouterOutlet, type Routes } from '@angular/router'
import type { ClientOptions, Navigate } from 'rxauth'
import { injectAuth, provideRxauth, RXAUTH, rxauthInterceptor, toResource, userGuard } from 'rxauth/angular'

/** The app of the tests in a browser and on a server, which is about what the guide shows. */
export const App = Component({
  selector: 'notes-app',
  imports: [RouterLink, RouterOutlet],
  template: `
    <header>
      @let state = auth();
      @if (state.status === 'signed-in') {
        <p>Signed in as {{ state.user.displayName }}</p>
        <button (click)="app.signOut()">Sign out</button>
      } @else {
        <p>{{ state.status }}</p>
      }
      <a routerLink="/notes">Notes</a>
    </header>
    <router-outlet />
  `,
})(
  class {
    readonly app = inject(RXAUTH)
    readonly auth = injectAuth()
  },
)

const Home = Component({ template: '<h1>{{ title }}</h1>' })(
  class {
    readonly title = 'Home'
  },
)

const SignIn = Component({
  template: `
    <h1>Sign in</h1>
    <form (submit)="$event.preventDefault(); signIn(email.value, password.value)">
      <label>E-mail <input #email autocomplete="username" /></label>
      <label>Password <input #password type="password" autocomplete="current-password" /></label>
      <button>Sign in</button>
    </form>
    <p role="alert">{{ problem() }}</p>
  `,
})(
  class {
    readonly app = inject(RXAUTH)
    readonly problem = signal('')

    async signIn(email: string, password: string) {
      const result = await this.app.signInWithPassword({ email, password })
      if (result.ok) await this.app.redirectTo('afterSignIn')
      else this.problem.set(result.error.message)
    }
  },
)

const Notes = Component({
  template: `
    <h1>Notes</h1>
    @if (user.hasValue()) {
      <p>Name: {{ user.value()?.displayName }}</p>
    } @else {
      <p>Name: {{ user.status() }}</p>
    }
    <p>Teams: {{ teams.hasValue() ? teams.value().length : teams.status() }}</p>
    <p>Notes of: {{ owner() }}</p>
    <form (submit)="$event.preventDefault(); app.updateUser({ displayName: name.value })">
      <label>New name <input #name /></label>
      <button>Rename</button>
    </form>
    <form (submit)="$event.preventDefault(); load(from.value)">
      <label>Notes from <input #from value="/api/notes" /></label>
      <button>Load</button>
    </form>
  `,
})(
  class {
    readonly app = inject(RXAUTH)
    readonly user = toResource(this.app.user$)
    readonly teams = toResource(() => (this.user.hasValue() && this.user.value() ? this.app.teams$ : undefined))
    readonly owner = signal('')
    readonly #http = inject(HttpClient)

    load(url: string) {
      this.#http.get<{ readonly owner: string }>(url).subscribe(({ owner }) => this.owner.set(owner))
    }
  },
)

const routes: Routes = [
  { path: 'sign-in', component: SignIn },
  { path: 'notes', component: Notes, canActivate: [userGuard] },
  { path: '**', component: Home },
]

/** Its options may be a function that injects. */
export function configOf(optionsOf: () => ClientOptions): ApplicationConfig {
  return {
    providers: [
      provideZonelessChangeDetection(),
      provideRouter(routes),
      provideHttpClient(withFetch(), withInterceptors([rxauthInterceptor])),
      provideRxauth(() => ({ urls: { signIn: '/sign-in' }, navigate: routerNavigate(), ...optionsOf() })),
    ],
  }
}

function routerNavigate(): Navigate {
  const [router, location] = [inject(Router), inject(Location)]
  return (url, { replace: replaceUrl }) => {
    if (url.startsWith('/')) void router.navigateByUrl(location.normalize(url), { replaceUrl })
    else window.location.assign(url)
  }
}
