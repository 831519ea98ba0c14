import { Box, Grid, NativeSelect, NavLink, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useUser } from 'rxauth/react'
import { Link, useParams } from 'wouter'
import { go } from '../app/navigation'
import { NotFoundPage } from '../handlers/not-found'
import { AppFrame } from '../shell/app-frame'
import { PageHeading } from '../ui/page-heading'
import { sections } from './sections'
import type { SettingsSection } from './sections'

const base = '/handler/account-settings'

/** Everything that a person can change about the account, a page per matter; for signed-in people only. */
export function AccountSettingsPage(): ReactNode {
  useUser({ or: 'redirect' })
  const { section: path = '' } = useParams()
  const section = sections.find(each => each.path === path)
  if (!section) return <NotFoundPage />
  const Content = section.content
  return (
    <AppFrame>
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, sm: 3 }}>
          <SectionLinks here={section} />
          <SectionSelect here={section} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 9 }}>
          <Stack gap="lg">
            <PageHeading title={section.title} />
            <Content />
          </Stack>
        </Grid.Col>
      </Grid>
    </AppFrame>
  )
}

interface Props {
  readonly here: SettingsSection
}

function SectionLinks({ here }: Props): ReactNode {
  return (
    <Box component="nav" aria-label="Account settings" visibleFrom="sm">
      {sections.map(section => (
        <Link key={section.path} href={addressOf(section)} asChild>
          <NavLink
            component="a"
            label={section.title}
            leftSection={<section.icon width={20} />}
            active={section === here}
            className="settings-link"
            {...(section === here && { 'aria-current': 'page' as const })}
          />
        </Link>
      ))}
    </Box>
  )
}

/** The same on a telephone, where a column of links would push everything else down. */
function SectionSelect({ here }: Props): ReactNode {
  return (
    <NativeSelect
      hiddenFrom="sm"
      size="md"
      label="Account settings"
      value={addressOf(here)}
      data={sections.map(section => ({ value: addressOf(section), label: section.title }))}
      onChange={event => go(event.currentTarget.value)}
    />
  )
}

function addressOf({ path }: SettingsSection): string {
  return path === '' ? base : `${base}/${path}`
}
