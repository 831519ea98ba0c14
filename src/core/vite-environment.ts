// Vite's variables: none in CommonJS. The ES modules of the package have vite-environment-inlined.ts instead; the field
// `imports` of package.json chooses.

const nothing = (): string | undefined => undefined

export { nothing as viteApiUrl, nothing as viteClientKey, nothing as viteProjectId }
