import type { UseFormReturnType } from '@mantine/form'
import { useEffect } from 'react'

/** Untouched fields show the store's values, also when those change while the form is open. */
export function useFollowedValues<V extends object>(form: UseFormReturnType<V>, stored: V): void {
  const present = JSON.stringify(stored)
  useEffect(() => {
    const untouched = Object.entries(stored).filter(([name]) => !form.isDirty(name))
    form.setValues(values => ({ ...values, ...(Object.fromEntries(untouched) as Partial<V>) }))
    // Touched fields stay so, compared with the store's present value.
    form.resetDirty(stored)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only what the store has, by value; the form is another object in each render
  }, [present])
}
