import react from '@vitejs/plugin-react'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const pathOf = relative => fileURLToPath(new URL(relative, import.meta.url))

/** An app of yours needs the first two lines. The rest is because the kit is this repository's own build. */
export default defineConfig({
  root: pathOf('.'),
  plugins: [react()],
  // Vite keeps what it has prepared of packages until the lock file changes, which a new build of the kit does not do.
  cacheDir: pathOf(`../../node_modules/.cache/example-${hashOfBuild(pathOf('../../dist/'))}`),
  optimizeDeps: {
    // Every package, so that Vite never finds another one later and reloads the page.
    include: [
      '@heroicons/react/24/outline',
      'react',
      'react-dom/client',
      'react/jsx-dev-runtime',
      'rxauth',
      'rxauth/admin',
      'rxauth/react',
      'uqr',
      'wouter',
      'wouter/use-browser-location',
    ],
    noDiscovery: true,
  },
})

/** The hash of the files that the page imports. The console is built beside them at the same time. */
export function hashOfBuild(dist) {
  const hash = createHash('sha256')
  const files = readdirSync(dist, { recursive: true }).filter(file => file.endsWith('.js') && !/^console\b/.test(file))
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(dist, file)))
  return hash.digest('hex').slice(0, 12)
}
