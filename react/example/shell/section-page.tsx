import { Box, Grid, NativeSelect, NavLink, Stack } from '@mantine/core'
import type { ComponentType, ReactNode, SVGProps } from 'react'
import { Link, useLocation } from 'wouter'
import { PageHeading } from '../ui/page-heading'
import { AppFrame } from './app-frame'

/** A page of a group of pages. */
export interface PageSection {
  /** The end of its address; empty for the first one. */
  readonly path: string
  readonly title: string
  readonly icon: ComponentType<SVGProps<SVGSVGElement>>
}

interface Props {
  /** The title of the group. */
  readonly label: string
  /** The start of each page's address. */
  readonly base: string
  /** In the order of the list. */
  readonly sections: readonly PageSection[]
  readonly here: PageSection
  readonly children: ReactNode
}

/** One page of a group, with links to the others beside it. */
export function SectionPage({ children, ...pages }: Props): ReactNode {
  return (
    <AppFrame>
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, sm: 3 }}>
          <SectionNavigation {...pages} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 9 }}>
          <Stack gap="lg">
            <PageHeading title={pages.here.title} />
            {children}
          </Stack>
        </Grid.Col>
      </Grid>
    </AppFrame>
  )
}

type LinkProps = Omit<Props, 'children'>

/** Navigation within the group: links, or a select field on narrow screens. */
export function SectionNavigation(pages: LinkProps): ReactNode {
  return (
    <>
      <SectionLinks {...pages} />
      <SectionSelect {...pages} />
    </>
  )
}

function SectionLinks({ label, base, sections, here }: LinkProps): ReactNode {
  return (
    <Box component="nav" aria-label={label} visibleFrom="sm">
      {sections.map(section => (
        <Link key={section.path} href={addressOf(base, section)} asChild>
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

function SectionSelect({ label, base, sections, here }: LinkProps): ReactNode {
  const [, goTo] = useLocation()
  return (
    <NativeSelect
      hiddenFrom="sm"
      size="md"
      label={label}
      value={addressOf(base, here)}
      data={sections.map(section => ({ value: addressOf(base, section), label: section.title }))}
      onChange={event => goTo(event.currentTarget.value)}
    />
  )
}

function addressOf(base: string, { path }: PageSection): string {
  return path === '' ? base : `${base}/${path}`
}
