// The first half of `npm start`: builds the kit, which the second half runs on.
import { build, kit } from './server/build-steps.mjs'

try {
  console.log('rxauth example: building what has changed')
  await build(kit)
} catch (error) {
  console.error(`rxauth example: ${error.message}`)
  process.exitCode = 1
}
