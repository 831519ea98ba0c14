/** Values of placeholders by name; a missing value is replaced by an empty text. */
export type EmailVariables = Readonly<Record<string, string | undefined>>

/** Replaces each `{{ name }}` by its value. Placeholders inside values are not replaced. */
export function filledIn(text: string, variables: EmailVariables, show: (value: string) => string = each => each) {
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) =>
    show((Object.hasOwn(variables, name) ? variables[name] : undefined) ?? ''),
  )
}
