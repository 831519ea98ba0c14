import { readFileSync } from 'node:fs'

/** Words that make a person the subject of a sentence where a thing of the program is meant. */
const words = JSON.parse(readFileSync(new URL('refused-words.json', import.meta.url), 'utf8'))
// The words of a pair may stand on two lines of a comment.
const refused = new RegExp(`\\b(?:${words.join('|').replaceAll(' ', '[\\s*/]+')})\\b`, 'i')

/** Refuses these words in comments, texts and JSX, so in messages and test titles too; identifiers may be named so. */
export const plainWords = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      person: '"{{word}}": name the thing of the program (the subscriber, the caller, the tab, the account)',
    },
  },
  create(context) {
    const check = (node, text) => {
      const word = refused.exec(text)?.[0]
      if (word !== undefined) context.report({ node, messageId: 'person', data: { word } })
    }
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) check(comment, comment.value)
      },
      Literal(node) {
        if (typeof node.value === 'string') check(node, node.value)
      },
      TemplateElement(node) {
        check(node, node.value.raw)
      },
      JSXText(node) {
        check(node, node.value)
      },
    }
  },
}
