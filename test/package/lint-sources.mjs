// Lints texts as if they were saved at the given paths; a program of its own because jest cannot load eslint.config.mjs.
// Standard input: JSON `[{ path, text }]`; standard output: JSON `[[rule, …], …]`.
import { ESLint } from 'eslint'
import { text } from 'node:stream/consumers'

// With the rules that a night adds.
process.env.RXAUTH_LONG = '1'
// On a CI machine typescript-eslint reads every file once, from disk, and would not see the texts given here.
process.env.TSESTREE_SINGLE_RUN = 'false'

const eslint = new ESLint({
  overrideConfig: {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { project: ['test/lint/tsconfig.json'] } },
  },
})
const rules = []
for (const { path, text: source } of JSON.parse(await text(process.stdin))) {
  const [result] = await eslint.lintText(source, { filePath: path })
  rules.push(result.messages.map(message => message.ruleId ?? message.message))
}
console.log(JSON.stringify(rules))
