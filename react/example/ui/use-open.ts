import { useState } from 'react'

/** Whether a dialog is open, and what opens and closes it. */
export function useOpen(isOpenAtFirst = false): readonly [boolean, { open: () => void; close: () => void }] {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  return [isOpen, { open: () => setOpen(true), close: () => setOpen(false) }]
}
