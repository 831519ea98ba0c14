import * as v from 'valibot'
import { endpoint } from '../../transport/endpoint'
import { isDeeperThan } from '../model/config-override'
import { configLevels } from '../model/projects'
import type { ConfigLevel, ConfigSource } from '../model/projects'
import { plain, schemaError } from '../model/refusal'
import type { WireRules } from '../model/release'
import { isRecord } from '../../core/values'
import type { Caller } from '../http/authenticate'
import { serve } from '../http/serve'
import { changeOverride, configOf, renderedWithMails, replaceOverride, resetKeys } from './rendered-config'

// Written apart from the kit's declarations, so that tests can find a mistake in either.

const text = v.object({ configString: v.string() })
const path = '/internal/config/override/{level}'

const pushedFields = ['owner', 'repo', 'branch', 'commitHash', 'configFilePath'] as const

const Source = v.object({
  type: v.picklist(['pushed-from-github', 'pushed-from-unknown', 'unlinked']),
  ...v.entriesFromList([...pushedFields, 'workflowPath'], v.optional(v.string())),
})

const levels = { path: { level: v.picklist(configLevels) } }

const body = {
  changes: { configOverrideString: v.string() },
  replacement: { configString: v.string(), source: v.optional(Source) },
}

const rendered = endpoint('GET /internal/config', { access: 'admin', returns: text })

const read = [
  endpoint(`GET ${path}`, { access: 'server', returns: text }),
  endpoint(`GET ${path}`, { access: 'admin', returns: text }),
] as const

const change = [
  endpoint(`PATCH ${path}`, { access: 'server', body: body.changes }),
  endpoint(`PATCH ${path}`, { access: 'admin', body: body.changes }),
] as const

const replace = [
  endpoint(`PUT ${path}`, { access: 'server', body: body.replacement }),
  endpoint(`PUT ${path}`, { access: 'admin', body: body.replacement }),
] as const

const reset = endpoint(`POST ${path}/reset-keys`, { access: 'admin', body: { keys: v.array(v.string()) } })

const source = endpoint('GET /internal/config/source', { access: 'admin', returns: v.object({ source: Source }) })

const unlink = endpoint('DELETE /internal/config/source', { access: 'admin' })

/** The newer release's configuration of a project: defaults, and overrides by level. */
export const newerConfigRoutes = [
  serve(rendered, {}, ({ engine, caller: { project } }) => toText(renderedWithMails(engine, project))),

  serve(read, levels, ({ engine, caller, input: { level } }) =>
    toText(configOf(engine, caller.project).overrides[reachable(caller, level)]),
  ),

  serve(change, levels, ({ engine, caller, input }) => {
    changeOverride(engine, caller.project, reachable(caller, input.level), parsed(input.configOverrideString))
  }),

  serve(replace, levels, ({ engine, caller, input: { source, ...input } }) => {
    const { project } = caller
    const level = reachable(caller, input.level)
    const given = source && completeSource(source, engine.rules)
    replaceOverride(engine, project, level, parsed(input.configString))
    if (level !== 'branch') return
    if (!given) throw plain(400, 'source is required for branch level config')
    engine.database.projects.patch(project.id, { configSource: given })
  }),

  serve(
    reset,
    { path: { level: v.picklist(['branch', 'environment']) } },
    ({ engine, caller, input: { level, keys } }) => {
      resetKeys(engine, caller.project, level, keys)
    },
  ),

  serve(source, {}, ({ caller: { project } }) => ({ source: { ...(project.configSource ?? unlinked) } })),

  serve(unlink, {}, ({ engine, caller: { project } }) => {
    engine.database.projects.put({ ...project, configSource: unlinked })
  }),
]

const unlinked: ConfigSource = { type: 'unlinked' }

/** The level, if the caller may use it: servers read and write the override of the branch only. */
function reachable({ access }: Caller, level: ConfigLevel): ConfigLevel {
  if (access === 'server' && level !== 'branch')
    throw plain(403, 'Server access can only manage branch config overrides.')
  return level
}

/** A source with exactly the fields of its type. */
function completeSource(
  { type, ...fields }: v.InferOutput<typeof Source>,
  { hasLaterFields }: WireRules,
): ConfigSource {
  const sent = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  const needed: readonly string[] = type === 'pushed-from-github' ? pushedFields : []
  const allowed = hasLaterFields && needed.length > 0 ? [...needed, 'workflowPath'] : needed
  const missing = needed.find(name => !sent.includes(name))
  if (missing !== undefined) throw schemaError(`body.source.${snake(missing)} must be defined`)
  const unknown = sent.filter(name => !allowed.includes(name)).map(snake)
  if (unknown.length > 0) throw schemaError(`body.source contains unknown properties: ${unknown.join(', ')}`)
  return { type, ...Object.fromEntries(Object.entries(fields).filter(([name]) => sent.includes(name))) }
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}

/** Beyond a configuration that a person has written. */
const maxBytes = 256 * 1024
const maxDepth = 50

function parsed(text: string): object {
  if (new TextEncoder().encode(text).length > maxBytes) throw plain(400, 'The configuration is longer than 256 KB.')
  let config: unknown
  try {
    config = JSON.parse(text)
  } catch {
    throw plain(400, 'Invalid config JSON')
  }
  // A list has no keys.
  if (Array.isArray(config)) return {}
  if (!isRecord(config)) throw plain(400, 'Config override must be a non-null object.')
  if (isDeeperThan(maxDepth, config)) throw plain(400, `The configuration is deeper than ${maxDepth} levels.`)
  return config
}

function toText(config: object) {
  return { configString: JSON.stringify(config) }
}
