import { AuthError, type Need } from 'rxauth'

/** The values of a pattern's parameters, decoded; of `[...rest]` the segments, joined with `/`. */
export type PathParams = Readonly<Record<string, string>>

/** The need of a path: the same for all its pages, or by the parameters of the path; null: none. */
export type PathNeed = Need | null | ((params: PathParams) => Need | null)

/** Written as the folders of `app` are: `/account`, `/teams/[teamId]`, `/docs/[...page]`, `/admin/[[...rest]]`. */
export type PathNeeds = Readonly<Record<`/${string}`, PathNeed>>

interface Pattern {
  readonly segments: readonly Segment[]
  readonly need: PathNeed
}

interface Segment {
  /** As Next.js ranks them: a name, a parameter, one segment or more, any number of segments. */
  readonly rank: 0 | 1 | 2 | 3
  readonly name: string
}

/** The need of a path, by the pattern with which Next.js would choose the page. Undefined: no pattern matches. */
export function needsOf(needs: PathNeeds): (pathname: string) => Need | null | undefined {
  const patterns = Object.entries(needs)
    .map(([path, need]): Pattern => ({ segments: split(path).map(segment => read(path, segment)), need }))
    .sort(({ segments: one }, { segments: other }) => rankOf(one, other))
  return pathname => {
    const path = decodedSegments(pathname)
    for (const { segments, need } of patterns) {
      const params = match(segments, path)
      if (params) return typeof need === 'function' ? need(params) : need
    }
    return undefined
  }
}

function read(path: string, segment: string): Segment {
  const [, open = '', dots = '', name = '', close = ''] = /^(\[{1,2})(\.{3})?([^[\].]+)(\]{1,2})$/.exec(segment) ?? []
  if (open.length === 1 && close.length === 1) return { rank: dots ? 2 : 1, name }
  if (open.length === 2 && close.length === 2 && dots) return { rank: 3, name }
  // Written for another router, it would open its pages to everyone.
  if (/^[:(@]|[*?#[\]]/.test(segment))
    throw invalidOption(
      `needs["${path}"]`,
      `has "${segment}", which is no part of a path; write parameters as Next.js does: [id], [...rest] or [[...rest]]`,
    )
  return { rank: 0, name: decoded(segment) }
}

export function invalidOption(field: string, reason: string): AuthError {
  return new AuthError('INVALID_INPUT', `${field} of nextApp() ${reason}`, { details: { field, reason } })
}

function rankOf(one: readonly Segment[], other: readonly Segment[]): number {
  for (let index = 0; index < Math.max(one.length, other.length); index++) {
    // A path that ends is chosen before one that may go on.
    const difference = (one[index]?.rank ?? -1) - (other[index]?.rank ?? -1)
    if (difference !== 0) return difference
  }
  return 0
}

function match(segments: readonly Segment[], path: readonly string[]): PathParams | undefined {
  const params: Record<string, string> = Object.create(null) as Record<string, string>
  for (const [index, { rank, name }] of segments.entries()) {
    const part = path[index]
    if (rank >= 2) {
      if (part === undefined && rank === 2) return undefined
      params[name] = path.slice(index).join('/')
      return params
    }
    if (part === undefined || (rank === 0 && part !== name)) return undefined
    params[name] = part
  }
  return segments.length === path.length ? params : undefined
}

export const decodedSegments = (pathname: string): string[] => split(pathname).map(decoded)

const split = (path: string): string[] => path.split('/').filter(segment => segment !== '')

/** `/%61ccount` is `/account` for Next.js too. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
