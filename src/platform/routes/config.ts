import * as v from 'valibot'
import * as admin from '../../entities/config/admin'
import * as server from '../../entities/config/server'
import type { ConfigLevel } from '../../entities/config/shape'
import { changed, isDeeperThan, reset } from '../model/config-override'
import { configLevels, pushedFields, type StoredConfigSource, type ProjectRow } from '../model/projects'
import { plain, schemaError } from '../model/refusal'
import type { WireRules } from '../model/release'
import { isRecord, parseJson, presentIn } from '../../core/values'
import type { Caller } from '../http/authenticate'
import { serve } from '../http/serve'
import { checkedOverride, storeLevel } from '../directory/projects'
import { selectedTheme, tsxThemes, tsxTemplates } from '../mail/tsx-mail'
import type { Engine } from '../model/engine'
import { configuredIn } from '../model/project-config'

const answers = v.object({ configString: v.string() })

const Source = v.object({
  type: v.picklist(['pushed-from-github', 'pushed-from-unknown', 'unlinked']),
  ...v.entriesFromList([...pushedFields, 'workflowPath'], v.optional(v.string())),
})

const path = { level: v.picklist(configLevels) }

export const newerRoutes = [
  serve(admin.projectConfig$, { answers }, ({ engine, caller: { project } }) => toText(withMails(engine, project))),

  serve(
    [server.branchConfigOverride$, admin.projectConfigOverride$],
    { path, answers },
    ({ caller, input: { level } }) => toText(caller.project.config[reachable(caller, level)]),
  ),

  serve([server.updateBranchConfig, admin.updateProjectConfig], { path }, ({ engine, caller, input }) => {
    const { project } = caller
    const level = reachable(caller, input.level)
    const changes = checkedOverride(engine, level, parsed(input.configOverrideString))
    storeLevel(engine, project, level, changed(project.config[level], changes))
  }),

  serve(
    [server.replaceBranchConfig, admin.replaceProjectConfig],
    { path, body: { source: v.optional(Source) } },
    ({ engine, caller, input: { source, ...input } }) => {
      const { project } = caller
      const level = reachable(caller, input.level)
      const complete = source && completeSource(source, engine.rules)
      storeLevel(engine, project, level, checkedOverride(engine, level, parsed(input.configString)))
      if (level !== 'branch') return
      if (!complete) throw plain(400, 'source is required for branch level config')
      engine.database.projects.patch(project.id, { configSource: complete })
    },
  ),

  serve(
    admin.resetProjectConfigKeys,
    { path: { level: v.picklist(['branch', 'environment']) } },
    ({ engine, caller, input: { level, keys } }) => {
      storeLevel(engine, caller.project, level, reset(caller.project.config[level], keys))
    },
  ),

  serve(admin.projectConfigSource$, { answers: v.object({ source: Source }) }, ({ caller: { project } }) => ({
    source: { ...(project.configSource ?? unlinked) },
  })),

  serve(admin.unlinkProjectConfigSource, {}, ({ engine, caller: { project } }) => {
    engine.database.projects.put({ ...project, configSource: unlinked })
  }),
]

/** The rendered configuration with the themes and templates of the project, and with one of its themes as the selected one. */
function withMails(engine: Engine, project: ProjectRow): object {
  const { rendered } = configuredIn(project)
  const shown = <T extends { readonly id: string }>(rows: readonly T[]) =>
    Object.fromEntries(rows.map(({ id, ...row }) => [id, row]))
  const [themes, templates] = [shown(tsxThemes(engine)), shown(tsxTemplates(engine))]
  const emails = rendered['emails'] as object
  return { ...rendered, emails: { ...emails, selectedThemeId: selectedTheme(engine), themes, templates } }
}

const unlinked: StoredConfigSource = { type: 'unlinked' }

/** The level, if the caller may use it: servers read and write the override of the branch only. */
function reachable({ access }: Caller, level: ConfigLevel): ConfigLevel {
  if (access === 'server' && level !== 'branch')
    throw plain(403, 'Server access can only manage branch config overrides.')
  return level
}

function completeSource(
  { type, ...fields }: v.InferOutput<typeof Source>,
  { hasLaterFields }: WireRules,
): StoredConfigSource {
  const sent = Object.keys(presentIn(fields))
  const needed: readonly string[] = type === 'pushed-from-github' ? pushedFields : []
  const allowed = hasLaterFields && needed.length > 0 ? [...needed, 'workflowPath'] : needed
  const missing = needed.find(name => !sent.includes(name))
  if (missing !== undefined) throw schemaError(`body.source.${snake(missing)} must be defined`)
  const unknown = sent.filter(name => !allowed.includes(name)).map(snake)
  if (unknown.length > 0) throw schemaError(`body.source contains unknown properties: ${unknown.join(', ')}`)
  return { type, ...presentIn(fields) }
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}

/** Larger than any configuration that a person writes. */
const maxBytes = 256 * 1024
const maxDepth = 50

function parsed(text: string): object {
  if (new TextEncoder().encode(text).length > maxBytes) throw plain(400, 'The configuration is longer than 256 KB.')
  const config = parseJson(text)
  if (config === undefined) throw plain(400, 'Invalid config JSON')
  // A list has no keys.
  if (Array.isArray(config)) return {}
  if (!isRecord(config)) throw plain(400, 'Config override must be a non-null object.')
  if (isDeeperThan(maxDepth, config)) throw plain(400, `The configuration is deeper than ${maxDepth} levels.`)
  return config
}

function toText(config: object) {
  return { configString: JSON.stringify(config) }
}
