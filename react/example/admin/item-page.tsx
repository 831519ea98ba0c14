import type { ReactNode } from 'react'
import type { Store } from 'rxauth'
import { useLocation } from 'wouter'
import { ConfirmButton } from '../ui/dialog'
import { TextLink } from '../ui/button'
import { PageHeading, Section } from '../ui/section'
import { WithStore } from '../ui/with-store'
import { useProject } from './project/project-context'

interface Props<T> {
  readonly what: 'user' | 'team'
  readonly id: string
  readonly store: Store<T | null>
  readonly children: (item: T) => ReactNode
}

/** The page of one user or team, with a link to the list of all. */
export function ItemPage<T>({ what, id, store, children }: Props<T>): ReactNode {
  const { base } = useProject()
  return (
    <>
      <TextLink to={`${base}/${what}s`}>{`All ${what}s`}</TextLink>
      <WithStore store={store} label={what === 'user' ? 'User' : 'Team'} gap="lg">
        {item =>
          item === null ? (
            <>
              <PageHeading title={`No such ${what}`} />
              <p>{`There is no ${what} with the id ${id}. It may have been deleted.`}</p>
            </>
          ) : (
            children(item)
          )
        }
      </WithStore>
    </>
  )
}

interface DeletionProps extends Pick<Props<unknown>, 'what'> {
  readonly description: string
  readonly consequence: string
  readonly run: () => Promise<unknown>
}

/** Deletes the user or the team of the page after a question, and goes to the list. */
export function Deletion({ what, description, consequence, run }: DeletionProps): ReactNode {
  const { base } = useProject()
  const [, goTo] = useLocation()
  return (
    <Section
      title={`Delete ${what}`}
      isDangerous
      description={description}
      action={
        <ConfirmButton
          kind="danger"
          label={`Delete ${what}`}
          question={`Delete this ${what}?`}
          consequence={`${consequence} This cannot be undone.`}
          answer={`Delete ${what} for good`}
          run={async () => {
            await run()
            goTo(`${base}/${what}s`)
          }}
        />
      }
    />
  )
}
