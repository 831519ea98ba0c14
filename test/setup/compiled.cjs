const { Script } = require('node:vm')

/** Of each module that this process has loaded: its text, and what the engine has compiled of it. */
const known = new Map()

/**
 * The module `file` as a script whose value is a function with these parameters, the same script for the same text.
 *
 * A script belongs to no context: in another one, its functions are compiled as far as earlier contexts have needed them.
 */
exports.compiled = function compiled(file, text, parameters) {
  const found = known.get(file)
  if (found?.text === text) return found.script
  const head = `(function (${parameters.join()}) {`
  // Places in the text stay those that its source map knows.
  const script = new Script(`${head}${text}\n})`, { filename: file, columnOffset: -head.length })
  known.set(file, { text, script })
  return script
}
