import type { ComponentType, ReactNode, SVGProps } from 'react'
import { Select } from '../ui/field'
import { Link, useGo } from '../ui/navigation'
import { PageHeading } from '../ui/section'

/** A page of a group of pages. */
export interface PageSection<P = never> {
  /** The end of its address; empty for the first one. */
  readonly path: string
  readonly title: string
  readonly icon: ComponentType<SVGProps<SVGSVGElement>>
  readonly content: (props: P) => ReactNode
}

interface Props {
  /** The title of the group. */
  readonly label: string
  /** Before the title. */
  readonly picture?: ReactNode
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
    <div className="auth contents">
      <div className="with-sidebar">
        <SectionNavigation {...pages} />
        <div className="auth-stack loose">
          <PageHeading title={pages.here.title} of={pages.label} />
          {children}
        </div>
      </div>
    </div>
  )
}

/** Navigation within the group: links, or a select field on narrow screens. */
export function SectionNavigation({ label, picture, base, sections, here }: Omit<Props, 'children'>): ReactNode {
  const go = useGo()
  const addressOf = ({ path }: PageSection) => (path === '' ? base : `${base}/${path}`)
  return (
    <div>
      <p className="group-title only-wide" aria-hidden="true">
        {picture}
        <span className="breakable">{label}</span>
      </p>
      <nav className="only-wide" aria-label={label}>
        {sections.map(section => (
          <Link
            key={section.path}
            href={addressOf(section)}
            className="side-link"
            aria-current={section === here ? 'page' : undefined}
          >
            <section.icon width={20} />
            {section.title}
          </Link>
        ))}
      </nav>
      <Select
        className="only-narrow group"
        label={label}
        value={addressOf(here)}
        options={sections.map(section => ({ value: addressOf(section), label: section.title }))}
        onChange={event => go(event.currentTarget.value)}
      />
    </div>
  )
}

/** A page within the frame of an app: the heading, and one section below the other. */
export function Page({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className="auth contents">
      <div className="auth-stack loose">
        <PageHeading title={title} />
        {children}
      </div>
    </div>
  )
}
