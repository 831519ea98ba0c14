import type { ComponentProps, ReactNode } from 'react'
import { Link } from './navigation'

interface Look {
  /** `primary` for the one thing to do, `plain` beside it, `quiet` for what matters less. */
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger' | undefined
  readonly isSmall?: boolean | undefined
  readonly icon?: ReactNode
  /** At the end of the button. */
  readonly after?: ReactNode
}

/** For an element that looks like a button. */
function looks({ kind = 'primary', isSmall = false }: Look, className = ''): string {
  return `auth-button ${kind}${isSmall ? ' compact' : ''} ${className}`.trim()
}

function Content({
  icon,
  after,
  children,
}: Pick<Look, 'icon' | 'after'> & { readonly children: ReactNode }): ReactNode {
  return (
    <>
      {icon}
      <span>{children}</span>
      {after}
    </>
  )
}

interface ButtonProps extends ComponentProps<'button'>, Look {
  /** Its action is running: the button does nothing when it is pressed again, and keeps the focus. */
  readonly isBusy?: boolean
  /** The action of a press. Beside the button, `Problem` shows why it has failed. */
  readonly does?: { readonly status: string; readonly run: () => Promise<unknown> }
}

export function Button(props: ButtonProps): ReactNode {
  const { kind, isSmall, icon, after, does, className, disabled, children, ...rest } = props
  const { isBusy = does?.status === 'running', onClick, ...own } = rest
  return (
    <button
      type="button"
      {...own}
      onClick={event => {
        if (isBusy) {
          event.preventDefault()
          return
        }
        onClick?.(event)
        void does?.run().catch(() => undefined)
      }}
      className={looks({ kind, isSmall }, className)}
      aria-busy={isBusy}
      aria-disabled={isBusy}
      disabled={disabled}
    >
      <Content icon={icon} after={after}>
        {children}
      </Content>
    </button>
  )
}

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'>, Look {
  readonly to: string
}

/** A link to the next page of this app, which looks like a button. */
export function ButtonLink({ to, kind, isSmall, icon, after, className, children, ...rest }: LinkProps): ReactNode {
  return (
    <Link {...rest} href={to} className={looks({ kind, isSmall }, className)}>
      <Content icon={icon} after={after}>
        {children}
      </Content>
    </Link>
  )
}

/** A button of which only the icon is seen; `aria-label` is its name. */
export function IconButton({ className = '', ...rest }: ComponentProps<'button'> & { readonly 'aria-label': string }) {
  return <button type="button" {...rest} className={`icon-button ${className}`} />
}

/** A link to a page of this app, in a text. */
export function TextLink({ to, ...rest }: Omit<ComponentProps<'a'>, 'href'> & { readonly to: string }): ReactNode {
  return <Link {...rest} href={to} />
}
