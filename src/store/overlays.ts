import { toAuthError } from '../errors/auth-error'
import type { CellValue, Overlay } from './cell-value'

/** Adds an overlay. Throws CALLBACK_FAILED if its change throws on the present value. */
export function addOverlay(on: CellValue, overlay: Overlay): void {
  try {
    overlay.change(on.overlays.reduce((value, { change }) => change(value), on.base?.value))
  } catch (error) {
    throw toAuthError(error)
  }
  on.overlays = [...on.overlays, overlay]
}

/** Removes a write's overlays; true if there were any. */
export function removeOverlay(on: CellValue, write: object): boolean {
  const before = on.overlays
  on.overlays = before.filter(overlay => overlay.write !== write)
  return on.overlays.length < before.length
}

/**
 * The write succeeded, but its answer does not contain the value: the overlays become part of the value until a load
 * replaces it. True if there were any.
 */
export function bakeOverlay(on: CellValue, write: object): boolean {
  for (const { change } of on.overlays.filter(overlay => overlay.write === write))
    try {
      if (on.base) on.base = { ...on.base, value: change(on.base.value) }
    } catch {
      // It fitted only with the overlays of other writes.
    }
  return removeOverlay(on, write)
}
