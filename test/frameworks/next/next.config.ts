import type { NextConfig } from 'next'

const config: NextConfig = {
  cacheComponents: true,
  partialPrefetching: true,
  reactCompiler: true,
  // `forbidden()` of next/navigation.
  experimental: { authInterrupts: true },
}

export default config
