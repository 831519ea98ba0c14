// Lints texts as if they were saved at the given paths; a program of its own because jest cannot load eslint.config.mjs.
// Standard input: JSON `[{ path, text }]`; standard output: JSON `[[rule, …], …]`.
import { ESLint } from 'eslint'
import { text } from 'node:stream/consumers'

const eslint = new ESLint()
const rules = []
for (const { path, text: source } of JSON.parse(await text(process.stdin))) {
  const [result] = await eslint.lintText(source, { filePath: path })
  rules.push(result.messages.map(message => message.ruleId ?? message.message))
}
console.log(JSON.stringify(rules))
