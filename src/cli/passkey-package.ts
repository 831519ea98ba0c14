import { createRequire } from 'node:module'

/** The command that installs the optional package for passkeys; null if it is there. */
export function passkeyAdvice(): string | null {
  try {
    createRequire(import.meta.url).resolve('@simplewebauthn/server')
    return null
  } catch (error) {
    // The package's entry is for import only, which is no obstacle to `import()`.
    const isMissing = error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND'
    return isMissing ? 'npm install --save-dev @simplewebauthn/server' : null
  }
}
