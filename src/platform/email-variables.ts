/** What placeholders stand for, by name; a name without a value stands for nothing. */
export type EmailVariables = Readonly<Record<string, string | undefined>>

/** `{{ name }}` in the place of each placeholder. What a value says is never looked at again. */
export function filledIn(text: string, variables: EmailVariables, show: (value: string) => string = each => each) {
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) =>
    show((Object.hasOwn(variables, name) ? variables[name] : undefined) ?? ''),
  )
}
