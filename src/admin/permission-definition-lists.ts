/** What a permission definition says, in either scope. */
interface Definition {
  readonly id: string
  readonly containedPermissionIds: string[]
}

/** The list with one more, where the platform has it: sorted by id. */
export function withDefinition<D extends Definition>(all: readonly D[], definition: D): D[] {
  return [...all.filter(({ id }) => id !== definition.id), definition].sort(byId)
}

/** The same before the platform has answered: it refuses an id that there is. */
export function withNew<D extends Definition>(all: readonly D[], definition: D): D[] {
  return all.some(({ id }) => id === definition.id) ? [...all] : withDefinition(all, definition)
}

/** The list without it; what contained it does so no longer. */
export function withoutDefinition<D extends Definition>(all: readonly D[], permissionId: string): D[] {
  return all
    .filter(({ id }) => id !== permissionId)
    .map(each => containing(each, ids => ids.filter(id => id !== permissionId)))
}

/** The same before the platform has answered: it refuses to delete what is not the project's own. */
export function withoutOwn<D extends Definition>(all: readonly D[], permissionId: string): D[] {
  return isOwn(all, permissionId) ? withoutDefinition(all, permissionId) : [...all]
}

/** The list with `definition` in the place of `permissionId`; what contained that contains it under its new id. */
export function withChanged<D extends Definition>(all: readonly D[], permissionId: string, definition: D): D[] {
  const others = all.filter(({ id }) => id !== permissionId)
  if (others.length === all.length || definition.id === permissionId) return withDefinition(others, definition)
  const renamed = others.map(each =>
    containing(each, ids => ids.map(id => (id === permissionId ? definition.id : id)).sort()),
  )
  return withDefinition(renamed, definition)
}

/** The same before the platform has answered: it refuses to change what is not the project's own, and an id that there is. */
export function withOwnChanged<D extends Definition>(all: readonly D[], permissionId: string, definition: D): D[] {
  const isTaken = definition.id !== permissionId && all.some(({ id }) => id === definition.id)
  return isOwn(all, permissionId) && !isTaken ? withChanged(all, permissionId, definition) : [...all]
}

/** The ids of system permissions begin with `$`. */
function isOwn(all: readonly Definition[], permissionId: string): boolean {
  return !permissionId.startsWith('$') && all.some(({ id }) => id === permissionId)
}

function containing<D extends Definition>(definition: D, change: (ids: string[]) => string[]): D {
  return { ...definition, containedPermissionIds: change(definition.containedPermissionIds) }
}

function byId(left: { readonly id: string }, right: { readonly id: string }): number {
  return left.id < right.id ? -1 : 1
}
