import type { ReactNode } from 'react'
import type { AdminApp } from 'rxauth/admin'
import { useStore, useUser } from 'rxauth/react'
import { useParams } from 'wouter'
import { NotFoundPage } from '../../handlers/not-found'
import { NotKnownYet } from '../../shell/not-known-yet'
import { SectionNavigation } from '../../shell/section-page'
import { TextLink } from '../../ui/link'
import { PageHeading } from '../../ui/page-heading'
import { StoreFailure } from '../../ui/store-failure'
import { WithStore } from '../../ui/with-store'
import { AdminFrame } from '../admin-frame'
import { ProjectContext } from './project-context'
import { sections } from './sections'
import { useAdminApp } from './use-admin-app'

/** All pages of one project; its kit is replaced for another project or another user. */
export function ProjectPage(): ReactNode {
  const user = useUser({ or: 'redirect' })
  const { projectId = '' } = useParams()
  return <RunProject key={`${user.id} ${projectId}`} id={projectId} />
}

function RunProject({ id }: { readonly id: string }): ReactNode {
  const app = useAdminApp(id)
  return app ? <Pages id={id} app={app} /> : <NotKnownYet isWide />
}

function Pages({ id, app }: { readonly id: string; readonly app: AdminApp }): ReactNode {
  const { section: path = '', item } = useParams()
  const snapshot = useStore(app.adminProject$)
  if (snapshot.status === 'pending') return <NotKnownYet isWide />
  if (snapshot.status === 'failed')
    return (
      <AdminFrame>
        <PageHeading title="Project" />
        <StoreFailure error={snapshot.error} isRetrying={snapshot.refreshing} store={app.adminProject$} />
        <TextLink to="/">All projects</TextLink>
      </AdminFrame>
    )
  const isNewer = snapshot.value.onboardingStatus !== undefined
  const here = sections.filter(section => isNewer || !section.isNewer)
  const section = here.find(each => each.path === path)
  if (!section) return <NotFoundPage />
  const Content = section.content
  const base = `/projects/${id}`
  return (
    <AdminFrame>
      <div className="with-sidebar">
        <SectionNavigation label={snapshot.value.displayName} base={base} sections={here} here={section} />
        <WithStore store={app.adminProject$} label="Project" gap="lg">
          {project => (
            <ProjectContext value={{ id, app, base, project }}>
              <Content item={item} />
            </ProjectContext>
          )}
        </WithStore>
      </div>
    </AdminFrame>
  )
}
