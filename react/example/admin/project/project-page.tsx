import { Grid, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useStore, useUser } from 'rxauth/react'
import { useParams } from 'wouter'
import { NotFoundPage } from '../../handlers/not-found'
import { NotKnownYet } from '../../shell/not-known-yet'
import { SectionNavigation } from '../../shell/section-page'
import { TextLink } from '../../ui/link'
import { PageHeading } from '../../ui/page-heading'
import { StoreFailure } from '../../ui/store-failure'
import { AdminFrame } from '../admin-frame'
import { ProjectContext, useProject } from './project-context'
import { sections } from './sections'
import { useAdminApp } from './use-admin-app'

/** All pages of one project; its kit is replaced for another project or another user. */
export function ProjectPage(): ReactNode {
  const user = useUser({ or: 'redirect' })
  const { projectId = '' } = useParams()
  return <RunProject key={`${user.id} ${projectId}`} projectId={projectId} />
}

function RunProject({ projectId }: { readonly projectId: string }): ReactNode {
  const app = useAdminApp(projectId)
  if (!app) return <NotKnownYet />
  return (
    <ProjectContext value={{ id: projectId, app, base: `/projects/${projectId}` }}>
      <Pages />
    </ProjectContext>
  )
}

function Pages(): ReactNode {
  const { app, base } = useProject()
  const { section: path = '', item } = useParams()
  const snapshot = useStore(app.adminProject$)
  if (snapshot.status === 'pending') return <NotKnownYet />
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
  return (
    <AdminFrame>
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, sm: 4, md: 3 }}>
          <Stack gap="sm">
            <Text fw={600} className="breakable">
              {snapshot.value.displayName}
            </Text>
            <SectionNavigation label="Project" base={base} sections={here} here={section} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 8, md: 9 }}>
          <Stack gap="lg">
            <Content item={item} />
          </Stack>
        </Grid.Col>
      </Grid>
    </AdminFrame>
  )
}
