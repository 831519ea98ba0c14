// Published in the place of vite-environment.ts for ES modules. Nothing imports it here: CommonJS, which test runners make of
// these sources, cannot parse `import.meta`.

/** Written out one by one because Vite inlines nothing else; without Vite, reading them throws. */
interface ViteMeta {
  readonly env: {
    readonly VITE_STACK_API_URL?: string
    readonly VITE_STACK_PROJECT_ID?: string
    readonly VITE_STACK_PUBLISHABLE_CLIENT_KEY?: string
  }
}

export const viteApiUrl = (): string | undefined => (import.meta as unknown as ViteMeta).env.VITE_STACK_API_URL
export const viteProjectId = (): string | undefined => (import.meta as unknown as ViteMeta).env.VITE_STACK_PROJECT_ID
export const viteClientKey = (): string | undefined =>
  (import.meta as unknown as ViteMeta).env.VITE_STACK_PUBLISHABLE_CLIENT_KEY
