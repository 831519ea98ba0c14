import { ownedProjects$ } from './client-owned-projects'
import { narrowed } from '../../store/definition'
import { coreOf, slot } from '../../store/core'
import type { Kit } from '../../store/kit'

const ownerSlot = {}

/** The owner's kit, whose session gives this kit its admin rights; null with keys. */
function ownerOf(kit: Kit<never>): { kit: Kit | null } {
  return slot(kit, ownerSlot, () => ({ kit: null }))
}

/** `kit` acts with the rights of the user signed in to `owner` from now on. */
export function actFor(kit: Kit<never>, owner: Kit): void {
  ownerOf(kit).kit = owner
}

/** Refreshes the owner's list of projects after a change by this kit; nothing without an owner. */
export async function refreshOwnersProjects(kit: Kit): Promise<void> {
  const { kit: owner } = ownerOf(kit)
  if (!owner) return
  const { cells } = coreOf(owner)
  const answered = cells.tick()
  await Promise.all(cells.matching(narrowed(ownedProjects$)).flatMap(cell => cell.invalidate(answered) ?? []))
}
