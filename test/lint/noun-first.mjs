const pronouns =
  '(?:the )?(?:others?|rest|same|ones?|latter)|that|those|these|this|both|each|all|some|none|another|(?:any|some|every|no)thing'
const notNouns =
  'above|after|and|are|as|at|be|before|below|between|but|by|can|did|do|does|for|from|had|has|have|here|if|in|is|it|may|must|' +
  'need|no|not|of|on|one|only|or|also|than|that|there|they|to|too|under|until|was|were|what|when|where|which|while|who|' +
  'whose|will|with|within|without|would'
const nameless = new RegExp(
  `^(?:(?:what|it|they|of)\\b|that (?:an?|the|its)\\b|(?:${pronouns})(?: (?:${notNouns})\\b|[^\\w\\s]|$))`,
  'i',
)

/** Refuses a comment whose first words stand for a thing without its name: the reader would have to guess the thing. */
export const nounFirst = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { pronoun: '"{{start}}": begin with the noun, as in "The value of …" or "Stores that …"' },
  },
  create(context) {
    return {
      Program() {
        let before
        for (const comment of context.sourceCode.getAllComments()) {
          const { type, value, loc } = comment
          const { line, column } = before?.loc.start ?? {}
          // Line comments below each other are one text.
          const goesOn =
            type === 'Line' && before?.type === 'Line' && line === loc.start.line - 1 && column === loc.start.column
          before = comment
          const start = nameless.exec(value.replace(/^[\s*]+/, ''))?.[0]
          if (start && !goesOn) context.report({ node: comment, messageId: 'pronoun', data: { start } })
        }
      },
    }
  },
}
