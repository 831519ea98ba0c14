import * as v from 'valibot'
import { endpoint } from '../../transport/endpoint'
import { isDeeperThan } from '../model/config-override'
import { configLevels } from '../model/project-tables'
import type { ConfigLevel, ConfigSource } from '../model/project-tables'
import { plain } from '../model/refusal'
import { isRecord } from '../../core/is-record'
import type { Caller } from '../http/authenticate'
import { serve } from '../http/serve'
import { changeOverride, configOf, replaceOverride, resetKeys } from './rendered-config'

// Written apart from the kit's declarations, so that tests can find a mistake in either.

const text = v.object({ configString: v.string() })
const path = '/internal/config/override/{level}'

const Source = v.object({
  type: v.picklist(['pushed-from-github', 'pushed-from-unknown', 'unlinked']),
  owner: v.optional(v.string()),
  repo: v.optional(v.string()),
  branch: v.optional(v.string()),
  commitHash: v.optional(v.string()),
  configFilePath: v.optional(v.string()),
})

const pushedFields = ['owner', 'repo', 'branch', 'commitHash', 'configFilePath'] as const

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
  serve(rendered, {}, ({ engine, caller: { project } }) => toText(configOf(engine, project).rendered)),

  serve(read, {}, ({ engine, caller, input: { level } }) =>
    toText(configOf(engine, caller.project).overrides[levelFor(caller, level)]),
  ),

  serve(change, {}, ({ engine, caller, input }) => {
    changeOverride(engine, caller.project, levelFor(caller, input.level), parsed(input.configOverrideString))
  }),

  serve(replace, {}, ({ engine, caller, input }) => {
    const level = levelFor(caller, input.level)
    if (level === 'branch') {
      const configSource = completeSource(input.source)
      const project = engine.database.projects.put({ ...caller.project, configSource })
      replaceOverride(engine, project, level, parsed(input.configString))
    } else replaceOverride(engine, caller.project, level, parsed(input.configString))
  }),

  serve(reset, {}, ({ engine, caller, input }) => {
    const level = levelFor(caller, input.level)
    if (level === 'project') throw plain(400, 'Keys are reset at the levels branch and environment.')
    resetKeys(engine, caller.project, level, input.keys)
  }),

  serve(source, {}, ({ caller: { project } }) => ({ source: { ...(project.configSource ?? unlinked) } })),

  serve(unlink, {}, ({ engine, caller: { project } }) => {
    engine.database.projects.put({ ...project, configSource: unlinked })
  }),
]

const unlinked: ConfigSource = { type: 'unlinked' }

/** Servers read and write the override of the branch only. */
function levelFor({ access }: Caller, text: string): ConfigLevel {
  const level = configLevels.find(each => each === text)
  if (!level) throw plain(400, `"${text}" is no level of the configuration: ${configLevels.join(', ')}.`)
  if (access === 'server' && level !== 'branch')
    throw plain(403, `A server key gives access to the level branch only; the level ${level} needs an admin key.`)
  return level
}

function completeSource(given: v.InferOutput<typeof Source> | undefined): ConfigSource {
  if (!given) throw plain(400, 'The level branch needs a source: who or what has pushed the configuration.')
  const { type, ...fields } = given
  if (type !== 'pushed-from-github') return { type }
  const missing = pushedFields.find(name => fields[name] === undefined)
  if (missing !== undefined)
    throw plain(400, `A source of type ${type} needs owner, repo, branch, commit_hash and config_file_path.`)
  return { type, ...fields } as ConfigSource
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
    throw plain(400, 'The configuration is not valid JSON.')
  }
  if (!isRecord(config)) throw plain(400, 'The configuration must be an object.')
  if (isDeeperThan(maxDepth, config)) throw plain(400, `The configuration is deeper than ${maxDepth} levels.`)
  return config
}

function toText(config: object) {
  return { configString: JSON.stringify(config) }
}
