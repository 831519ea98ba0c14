import * as v from 'valibot'

const themeId = v.union([v.literal(false), v.string()])

/** The theme of a mail to be sent or saved: an id, null for the project's theme, false for none. */
export function givenThemeId() {
  return v.optional(v.nullable(themeId))
}

/** As above, where the platform refuses null: what follows the project's theme cannot be made to do so again. */
export function otherThemeId() {
  return v.optional(themeId)
}

/** The theme of a mail as the platform has it; null also where it leaves the field out. */
export function savedThemeId() {
  return v.optional(v.nullable(themeId), null)
}
