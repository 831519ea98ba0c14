/** What a block needs that a page of the site does not have, by the packages that it imports. */
const needs: readonly (readonly [RegExp, string])[] = [
  [/^(next|rxauth\/next)(\/|$)/, 'needs Next.js’ server'],
  [/^@sveltejs\/kit/, 'needs SvelteKit’s server'],
  [/^@react-router\//, 'needs React Router’s server'],
  [/^(vite|vitest\/config|@vitejs\/.*|vite-plugin-.*|@sveltejs\/vite-plugin-svelte)$/, 'is a setting of Vite'],
  [/^(vitest|node:test|@playwright\/test|rxauth\/playwright|@testing-library\/.*)$/, 'needs a test runner'],
  [
    /^(node:.*|rxauth\/platform\/node|express|fastify|@hono\/node-server|@nestjs\/.*|pg|redis|socket\.io|ws)$/,
    'needs Node',
  ],
]

/** The packages and files that code imports; a type needs none. */
export function importsOf(code: string): string[] {
  return [...code.matchAll(/^\s*(?:import|export)\s(?!type\b)(?:[^'";]*?\bfrom\s+)?'([^']+)'/gm)].map(
    ([, name = '']) => name,
  )
}

/** What code needs by its imports. */
export function needOf(code: string): string | undefined {
  // A page sends no cookies by hand.
  if (/\bheaders: \{ cookie\b/.test(code)) return 'needs Node'
  const imported = importsOf(code)
  return needs.find(([form]) => imported.some(name => form.test(name)))?.[1]
}

/** Why a block that no test runs does not run here either. */
export function fragmentOf(code: string, language: string): string {
  if (/^(?:(?:test|it|describe)\(|module\.exports)/m.test(code)) return 'needs a test runner'
  if (/x$|^vue$|^svelte$/.test(language) && /^export /m.test(code)) return 'is a component for your app'
  return /['`]\/(?:api|graphql)\b/.test(code) ? 'needs your backend' : 'is a part of your app'
}
