import * as v from 'valibot'
import { endpoint } from '../../transport/endpoint'
import { serve } from '../http/serve'
import { isBuiltIn, requireRendered, requireTheme, tsxThemes } from '../mail/tsx-mail'
import { drawTheme, newTheme } from '../mail/tsx-template'
import { plain } from '../model/refusal'

// Written apart from the kit's declarations, so that tests can find a mistake in either.

const path = '/internal/email-themes/{emailThemeId}'

const list = endpoint('GET /internal/email-themes', {
  access: 'admin',
  returns: v.object({ themes: v.array(v.object({ id: v.string(), displayName: v.string() })) }),
})

const create = endpoint('POST /internal/email-themes', {
  access: 'admin',
  body: { displayName: v.string() },
  returns: v.object({ id: v.string() }),
})

const read = endpoint(`GET ${path}`, {
  access: 'admin',
  returns: v.object({ id: v.string(), displayName: v.string(), tsxSource: v.string() }),
})

const change = endpoint(`PATCH ${path}`, {
  access: 'admin',
  body: { tsxSource: v.string() },
  returns: v.object({ displayName: v.string() }),
})

const remove = endpoint(`DELETE ${path}`, { access: 'admin' })

/** The newer release's themes in TSX: three that every project has, and its own. */
export const newerEmailThemeRoutes = [
  serve(list, {}, ({ engine }) => ({ themes: [...tsxThemes(engine)] })),

  serve(create, {}, ({ engine: { tables }, input: { displayName } }) =>
    tables.tsxThemes.put({ id: crypto.randomUUID(), displayName, tsxSource: newTheme() }),
  ),

  serve(read, {}, ({ engine, input: { emailThemeId } }) => requireTheme(engine, emailThemeId)),

  serve(change, {}, ({ engine, input: { emailThemeId, tsxSource } }) => {
    const theme = requireTheme(engine, emailThemeId)
    requireRendered(drawTheme(tsxSource, ''))
    return engine.tables.tsxThemes.put({ ...theme, tsxSource })
  }),
]

/** Release 2.8.86 deletes no themes. */
export const laterEmailThemeRoutes = [
  serve(remove, {}, ({ engine, input: { emailThemeId } }) => {
    const { id } = requireTheme(engine, emailThemeId)
    if (isBuiltIn(id)) throw plain(400, 'The themes of the platform cannot be deleted.')
    engine.tables.tsxThemes.delete(id)
  }),
]
