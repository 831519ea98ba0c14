// What Vite has inlined: nothing, where modules are CommonJS. As ES modules the package has vite-environment-inlined.ts in its
// place; the field `imports` of package.json chooses.

const nothing = (): string | undefined => undefined

export { nothing as viteApiUrl, nothing as viteClientKey, nothing as viteProjectId }
