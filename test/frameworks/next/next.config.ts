const config = {
  cacheComponents: true,
  partialPrefetching: true,
  reactCompiler: true,
  // `forbidden()` of next/navigation.
  experimental: { authInterrupts: true },
}

export default config
