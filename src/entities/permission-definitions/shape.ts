/** The common fields of permission definitions. */
interface PermissionBase {
  readonly id: string
  readonly containedPermissionIds: string[]
}

/** The list with one more definition, sorted by id as on the platform. */
export function withDefinition<D extends PermissionBase>(all: readonly D[], definition: D): D[] {
  return [...all.filter(({ id }) => id !== definition.id), definition].sort(byId)
}

/** As `withDefinition`, before the answer: an existing id changes nothing, because the platform refuses it. */
export function withNew<D extends PermissionBase>(all: readonly D[], definition: D): D[] {
  return all.some(({ id }) => id === definition.id) ? [...all] : withDefinition(all, definition)
}

/** The list without the definition, also as a contained one. */
export function withoutDefinition<D extends PermissionBase>(all: readonly D[], permissionId: string): D[] {
  return all
    .filter(({ id }) => id !== permissionId)
    .map(each => containing(each, ids => ids.filter(id => id !== permissionId)))
}

/** As `withoutDefinition`, before the answer: a system permission stays, because the platform refuses its deletion. */
export function withoutOwn<D extends PermissionBase>(all: readonly D[], permissionId: string): D[] {
  return isOwn(all, permissionId) ? withoutDefinition(all, permissionId) : [...all]
}

/** The list with `definition` in place of `permissionId`, also as a contained one. */
export function withChanged<D extends PermissionBase>(all: readonly D[], permissionId: string, definition: D): D[] {
  const others = all.filter(({ id }) => id !== permissionId)
  if (others.length === all.length || definition.id === permissionId) return withDefinition(others, definition)
  const renamed = others.map(each =>
    containing(each, ids => ids.map(id => (id === permissionId ? definition.id : id)).sort()),
  )
  return withDefinition(renamed, definition)
}

/**
 * As `withChanged`, before the answer: a system permission and a new id that exists change nothing, because the platform
 * refuses both.
 */
export function withOwnChanged<D extends PermissionBase>(all: readonly D[], permissionId: string, definition: D): D[] {
  const isTaken = definition.id !== permissionId && all.some(({ id }) => id === definition.id)
  return isOwn(all, permissionId) && !isTaken ? withChanged(all, permissionId, definition) : [...all]
}

/** Ids of system permissions begin with `$`. */
function isOwn(all: readonly PermissionBase[], permissionId: string): boolean {
  return !permissionId.startsWith('$') && all.some(({ id }) => id === permissionId)
}

function containing<D extends PermissionBase>(definition: D, change: (ids: string[]) => string[]): D {
  return { ...definition, containedPermissionIds: change(definition.containedPermissionIds) }
}

function byId(left: { readonly id: string }, right: { readonly id: string }): number {
  return left.id < right.id ? -1 : 1
}
