import type { ReactNode } from 'react'
import type { AnyAuthError, Store } from 'rxauth'
import { Forbidden } from './forbidden'
import { ListOf } from './rows'
import { WithStore } from './with-store'

interface Props<T> {
  readonly store: Store<readonly T[]>
  /** The name of the list, for screen readers while it loads. */
  readonly label: string
  /** Known without a request; the platform's own refusal is shown anyway. */
  readonly isForbidden?: boolean
  /** This store's own error code for a user without the permission. */
  readonly refusal?: AnyAuthError['code'] | undefined
  /** Shown if the list is empty. */
  readonly empty: ReactNode
  /** A row; it has a key. */
  readonly children: (item: T) => ReactNode
}

/** A list in each of its states: those of `WithStore`, forbidden without a request, and empty. */
export function StoreList<T>({ store, label, isForbidden = false, refusal, empty, children }: Props<T>): ReactNode {
  if (isForbidden) return <Forbidden />
  return (
    <WithStore store={store} label={label} refusal={refusal}>
      {items => (
        <ListOf label={label} items={items} empty={empty}>
          {children}
        </ListOf>
      )}
    </WithStore>
  )
}
