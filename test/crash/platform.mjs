// Serves a platform on the given file over HTTP until it is killed. Prints its address.
import { listen, openPlatform } from 'rxauth/platform/node'

const platform = await openPlatform({ file: process.argv[2] })
const { url } = await listen(platform, { port: 0 })
const { projectId, publishableClientKey } = platform.options
console.log(JSON.stringify({ url, projectId, publishableClientKey, ...platform.serverOptions, fetch: undefined }))
