// The types of the app are checked with those of all tests; and each build is the only one of its folder.
export default { typescript: { ignoreBuildErrors: true }, experimental: { turbopackFileSystemCacheForBuild: false } }
