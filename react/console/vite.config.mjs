import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { buildRecord } from '../../build-record.mjs'
import { notices } from '../../notices.mjs'
import { defineConfig } from 'vite'

const pathOf = relative => fileURLToPath(new URL(relative, import.meta.url))

/**
 * The console's files in place of those of the example's admin area: it is signed in by itself, has more pages, and opens
 * any app as any user. Each exports the same names; test/types/console.ts holds them to the same types.
 */
const substitutes = new Map(
  Object.entries({
    'admin/admin-frame.tsx': 'console-frame.tsx',
    'admin/owner.ts': 'owner.ts',
    'admin/project/follow.ts': 'follow.ts',
    'admin/users/impersonation.tsx': 'sign-in-as.tsx',
    'app/auth.ts': 'auth.ts',
  }).map(([of, own]) => [pathOf(`../example/${of}`), pathOf(own)]),
)

function substitute() {
  return {
    name: 'substitute',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!source.startsWith('.') || importer === undefined) return null
      const resolved = await this.resolve(source, importer, { skipSelf: true })
      const own = resolved && substitutes.get(resolved.id)
      // The substitute may take the rest from the file that it replaces.
      return own === importer ? null : (own ?? null)
    },
  }
}

/** The console as it is published: made from the example's admin area and the built kit, and served by `listen`. */
export default defineConfig({
  root: pathOf('.'),
  plugins: [substitute(), react(), notices(), buildRecord('console')],
  logLevel: 'warn',
  build: {
    outDir: pathOf('../../dist/console'),
    emptyOutDir: true,
    assetsDir: 'console',
    // A style or picture in an address would be one more thing that the page may load.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: Infinity,
  },
})
