import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FailCode } from '../src/errors/codes'
import type { Access, Endpoint } from '../src/transport/endpoint'

export type DeclaredEndpoint = Endpoint<Access, unknown, unknown, FailCode>

const root = join(__dirname, '..')
const folders = ['entities', 'sign-in', 'session'].map(name => join(root, 'src', name))

/** Every endpoint that the kit's files export: on its own, or in a definition that calls it. `load` gives what a file exports. */
export function declaredEndpoints(load: (file: string) => object = jest.requireActual): readonly DeclaredEndpoint[] {
  const files = folders.flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(path => path.endsWith('.ts'))
      .map(path => join(folder, path)),
  )
  const found = files.flatMap(file => Object.values(load(file)).flatMap(endpointsIn))
  return [...new Set(found)]
}

/** A route without the names of its parameters, and whether its user is `me` or its level the branch. */
export function patternOf(route: string): string {
  // `/users/me` is a separate address beside `/users/{userId}`.
  return route.replace(/\{\w+\}|(?<=\/)(?<!\/users\/)me(?=\/|$)|(?<=\/override\/)branch\b/g, '{}')
}

function endpointsIn(value: unknown): DeclaredEndpoint[] {
  if (typeof value === 'object' && value !== null && 'route' in value && 'access' in value)
    return [value as DeclaredEndpoint]
  if (typeof value === 'function' && 'endpoint' in value)
    return value.endpoint ? [value.endpoint as DeclaredEndpoint] : []
  return []
}
