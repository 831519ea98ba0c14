import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const page = fileURLToPath(new URL('../../sizes.md', import.meta.url))

/** The limits of docs/sizes.md by their names: whole KB. */
export default {
  watch: page,
  load: () =>
    Object.fromEntries(
      [...readFileSync(page, 'utf8').matchAll(/^\| ([^|:]+): [^|]*\| +(\d+) +\|/gm)].map(([, name, bytes]) => [
        name,
        Math.round(bytes / 1024),
      ]),
    ),
}
