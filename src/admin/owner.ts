import { ownedProjects$ } from '../resources/owned-projects'
import { narrowed } from '../store/definition'
import { coreOf, slot } from '../store/kit'
import type { Kit } from '../store/kit'

const ownerSlot = {}

/** The kit of the person by whose session this kit has an admin's rights; null where it has keys. */
function ownerOf(kit: Kit<never>): { kit: Kit | null } {
  return slot(kit, ownerSlot, () => ({ kit: null }))
}

/** From now on `kit` acts with the rights of whoever is signed in to `owner`. */
export function actFor(kit: Kit<never>, owner: Kit): void {
  ownerOf(kit).kit = owner
}

/** The owner's list of projects shows what this kit has changed, if there is an owner whose list it is. */
export async function refreshOwnersProjects(kit: Kit): Promise<void> {
  const { kit: owner } = ownerOf(kit)
  if (!owner) return
  const { cells } = coreOf(owner)
  const answered = cells.tick()
  await Promise.all(cells.matching(narrowed(ownedProjects$)).flatMap(cell => cell.invalidate(answered) ?? []))
}
