import type { ReactNode } from 'react'
import { createOwnedProject, ownedProjects$, type OwnedProject } from 'rxauth'
import { useApp, useUser } from 'rxauth/react'
import { useLocation } from 'wouter'
import { ButtonLink } from '../../ui/button'
import { Day } from '../../ui/instant'
import { PageHeading, Section, StatusBadge } from '../../ui/section'
import { FormButton } from '../../ui/settings-form'
import { WithStore } from '../../ui/with-store'
import { AdminFrame } from '../admin-frame'
import { projectTexts } from '../settings/project-settings'

/** The projects of the signed-in user, with a button to create one. */
export function ProjectsPage(): ReactNode {
  useUser({ or: 'redirect' })
  const app = useApp()
  const [, goTo] = useLocation()
  return (
    <AdminFrame>
      <div className="auth-row between">
        <PageHeading title="Your projects" />
        <FormButton
          label="Create a project"
          submit="Create project"
          initial={{ displayName: '', description: '' }}
          settings={projectTexts}
          save={async values => {
            const { id } = await createOwnedProject(app, values)
            goTo(`/projects/${id}`)
          }}
        />
      </div>
      <WithStore store={ownedProjects$(app)} label="Projects">
        {projects => (
          <>
            {projects.length === 0 && <p className="dim">You have no projects yet.</p>}
            <div className="grid">
              {[...projects].sort(byAge).map(project => {
                const { id, displayName, description, userCount, createdAt, isProductionMode } = project
                const isNamesake = projects.some(each => each.id !== id && each.displayName === displayName)
                const shortId = id.slice(0, 8)
                return (
                  <Section key={id} title={displayName} {...(description !== '' && { description })}>
                    <div className="auth-row between bottom at-end">
                      <div>
                        {userCount !== undefined && <p>{userCount === 1 ? '1 user' : `${userCount} users`}</p>}
                        <p className="fine dim">
                          Created on <Day at={createdAt} />
                        </p>
                        {isNamesake && (
                          <p className="fine dim">
                            Id <code>{shortId}…</code>
                          </p>
                        )}
                      </div>
                      {isProductionMode && <StatusBadge>Production</StatusBadge>}
                      <ButtonLink
                        label="Open"
                        kind="plain"
                        isSmall
                        to={`/projects/${id}`}
                        aria-label={isNamesake ? `Open ${displayName} (${shortId})` : `Open ${displayName}`}
                      />
                    </div>
                  </Section>
                )
              })}
            </div>
          </>
        )}
      </WithStore>
    </AdminFrame>
  )
}

/** Oldest first; the platform has no order. */
const byAge = (one: OwnedProject, other: OwnedProject) => +one.createdAt - +other.createdAt
