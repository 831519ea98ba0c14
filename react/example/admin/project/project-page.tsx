import {
  AdjustmentsHorizontalIcon,
  ChartBarIcon,
  Cog6ToothIcon,
  EnvelopeIcon,
  FingerPrintIcon,
  GlobeAltIcon,
  KeyIcon,
  ShieldCheckIcon,
  UserGroupIcon,
  UsersIcon,
} from '@heroicons/react/24/outline'
import { useMemo, useSyncExternalStore, type ReactNode } from 'react'
import type { ClientApp } from 'rxauth'
import { createAdminApp, type AdminApp } from 'rxauth/admin'
import { useApp, useStore, useUser } from 'rxauth/react'
import { useParams } from 'wouter'
import { NotFoundPage } from '../../handlers/not-found'
import { NotKnownYet } from '../../shell/screen'
import { SectionNavigation, type PageSection } from '../../shell/section-page'
import { TextLink } from '../../ui/button'
import { PageHeading } from '../../ui/section'
import { StoreFailure, WithStore } from '../../ui/with-store'
import { AdminFrame } from '../admin-frame'
import { Configuration } from '../configuration/configuration'
import { Domains } from '../domains/domains'
import { Emails } from '../emails/emails'
import { InternalKeys } from '../keys/internal-keys'
import { Overview } from '../overview/overview'
import { refreshOn } from '../owner'
import { Permissions } from '../permissions/permissions'
import { ProjectSettings } from '../settings/project-settings'
import { SignInMethods } from '../sign-in/sign-in-methods'
import { Teams } from '../teams/teams'
import { Users } from '../users/users'
import { follow } from './follow'
import { ProjectContext } from './project-context'

/** All pages of one project; its kit is replaced for another project or another user. */
export function ProjectPage(): ReactNode {
  const user = useUser({ or: 'redirect' })
  const { projectId = '' } = useParams()
  return <RunProject key={`${user.id} ${projectId}`} id={projectId} />
}

function RunProject({ id }: { readonly id: string }): ReactNode {
  const app = useAdminApp(id)
  const { section: path = '', item } = useParams()
  const snapshot = useStore(app && app.adminProject$)
  if (!app || snapshot.status === 'pending') return <NotKnownYet isWide />
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

/** A part of the project with its own page. `item`: the rest of the address, the id of one user or team. */
interface ProjectSection extends PageSection<{ readonly item: string | undefined }> {
  /** Releases before 2026 lack what it shows. */
  readonly isNewer?: true
}

/** In the order of the list. */
const sections: readonly ProjectSection[] = [
  { path: '', title: 'Overview', icon: ChartBarIcon, content: Overview },
  { path: 'users', title: 'Users', icon: UsersIcon, content: Users },
  { path: 'teams', title: 'Teams', icon: UserGroupIcon, content: Teams },
  { path: 'permissions', title: 'Permissions', icon: ShieldCheckIcon, content: Permissions },
  { path: 'sign-in', title: 'Sign-in methods', icon: FingerPrintIcon, content: SignInMethods },
  { path: 'domains', title: 'Domains', icon: GlobeAltIcon, content: Domains },
  { path: 'keys', title: 'Project keys', icon: KeyIcon, content: InternalKeys },
  { path: 'emails', title: 'E-mails', icon: EnvelopeIcon, content: Emails },
  {
    path: 'configuration',
    title: 'Configuration',
    icon: AdjustmentsHorizontalIcon,
    isNewer: true,
    content: Configuration,
  },
  { path: 'settings', title: 'Settings', icon: Cog6ToothIcon, content: ProjectSettings },
]

/** A kit for the project with the signed-in user's rights, while the component is mounted; null before. */
function useAdminApp(projectId: string): AdminApp | null {
  const owner = useApp()
  const { listen, read } = useMemo(() => life(owner, projectId), [owner, projectId])
  return useSyncExternalStore(listen, read)
}

/** Created on mount and not during a render; twice in strict mode. */
function life(owner: ClientApp, projectId: string) {
  let app: AdminApp | null = null
  return {
    read: () => app,
    listen: (tell: () => void) => {
      app = createAdminApp({ owner, projectId, refreshOn })
      const leave = follow(app, projectId)
      tell()
      return () => {
        leave()
        app?.dispose()
        app = null
      }
    },
  }
}
