// The libraries of Angular are published for its compiler, which a build runs over them; here it runs in the page.
import '@angular/compiler'
import { provideZonelessChangeDetection, type EnvironmentProviders, type Provider } from '@angular/core'
import { getTestBed, TestBed } from '@angular/core/testing'
import { BrowserTestingModule, platformBrowserTesting } from '@angular/platform-browser/testing'

getTestBed().initTestEnvironment(BrowserTestingModule, platformBrowserTesting())
afterEach(() => {
  TestBed.resetTestingModule()
})

export type Provided = readonly (Provider | EnvironmentProviders)[]

/** An app without zones, with these providers. */
export function provide(...providers: Provided): void {
  TestBed.configureTestingModule({ providers: [provideZonelessChangeDetection(), ...providers] })
}

/** Runs in the injection context of the app. */
export function within<T>(run: () => T): T {
  return TestBed.runInInjectionContext(run)
}
