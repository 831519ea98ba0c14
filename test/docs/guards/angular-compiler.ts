import { inject, ɵɵdefineInjectable } from '@angular/core'

/*
 * Angular's libraries are published for its compiler, which a build runs over them. The services of the router are all that is
 * needed here, and take no more than this; imported before them. Components, directives and modules stay uncompiled.
 */

interface Declared {
  readonly type: new (...args: unknown[]) => unknown
  readonly providedIn?: 'root' | null
  readonly useFactory?: () => unknown
  readonly deps?: readonly { readonly token: unknown; readonly optional?: boolean }[] | null
}

const none = () => ({})

const compilerFacade = {
  compileInjectableDeclaration: (_: unknown, __: string, { type, providedIn = null, useFactory }: Declared) =>
    ɵɵdefineInjectable({
      token: type,
      providedIn,
      factory: useFactory ?? (() => (type as unknown as { ɵfac(): unknown }).ɵfac()),
    }),
  compileFactoryDeclaration:
    (_: unknown, __: string, { type, deps }: Declared) =>
    (own?: Declared['type']) =>
      new (own ?? type)(
        ...(deps ?? []).map(({ token, optional }) => inject(token as never, { optional: optional === true })),
      ),
  compileDirectiveDeclaration: none,
  compileComponentDeclaration: none,
  compilePipeDeclaration: none,
  compileNgModuleDeclaration: none,
  compileInjectorDeclaration: none,
}

Object.assign(globalThis, { ng: { ɵcompilerFacade: compilerFacade } })
