import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { AnyAuthError, Store } from 'rxauth'
import { Forbidden } from './forbidden'
import { WithStore } from './with-store'

interface Props<T> {
  readonly store: Store<readonly T[]>
  /** What the list is of, for a screen reader while it loads. */
  readonly label: string
  /** Known without asking for it; what the platform refuses is forbidden anyway. */
  readonly isForbidden?: boolean
  /** The code with which this store alone refuses a reader without the right to it. */
  readonly refusal?: AnyAuthError['code'] | undefined
  /** What to say, or show, when there is nothing in it. */
  readonly empty: ReactNode
  readonly children: (items: readonly T[]) => ReactNode
}

/** A list in each of its states: those of `WithStore`, forbidden without asking, and empty. */
export function StoreList<T>({ store, label, isForbidden = false, refusal, empty, children }: Props<T>): ReactNode {
  if (isForbidden) return <Forbidden />
  return (
    <WithStore store={store} label={label} refusal={refusal}>
      {items => (items.length === 0 ? <Empty>{empty}</Empty> : children(items))}
    </WithStore>
  )
}

function Empty({ children }: { readonly children: ReactNode }): ReactNode {
  return typeof children === 'string' ? (
    <Text c="dimmed" size="sm">
      {children}
    </Text>
  ) : (
    children
  )
}
