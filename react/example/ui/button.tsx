import type { ComponentProps, ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { Problem } from './alert'
import { Link } from './navigation'

interface Look {
  readonly label: ReactNode
  /** `primary` for the one thing to do, `plain` beside it, `quiet` for what matters less. */
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger' | undefined
  readonly isSmall?: boolean | undefined
  readonly icon?: ReactNode
  /** At the end of the button. */
  readonly after?: ReactNode
}

/** For an element that looks like a button. */
function looks({ kind = 'primary', isSmall = false }: Pick<Look, 'kind' | 'isSmall'>, className = ''): string {
  return `auth-button ${kind}${isSmall ? ' compact' : ''} ${className}`.trim()
}

function Content({ icon, label, after }: Pick<Look, 'icon' | 'label' | 'after'>): ReactNode {
  return (
    <>
      {icon}
      <span>{label}</span>
      {after}
    </>
  )
}

interface ButtonProps extends Omit<ComponentProps<'button'>, 'children'>, Look {
  /** Its action is running: the button does nothing when it is pressed again, and keeps the focus. */
  readonly isBusy?: boolean
  /** The action of a press. Beside the button, `Problem` shows why it has failed. */
  readonly does?: { readonly status: string; readonly run: () => Promise<unknown> }
}

export function Button(props: ButtonProps): ReactNode {
  const { kind, isSmall, icon, after, label, does, className, disabled, ...rest } = props
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
      <Content icon={icon} label={label} after={after} />
    </button>
  )
}

interface LinkProps extends Omit<ComponentProps<'a'>, 'href' | 'children'>, Look {
  readonly to: string
}

/** A link to the next page of this app, which looks like a button. */
export function ButtonLink({ to, kind, isSmall, icon, label, after, className, ...rest }: LinkProps): ReactNode {
  return (
    <Link {...rest} href={to} className={looks({ kind, isSmall }, className)}>
      <Content icon={icon} label={label} after={after} />
    </Link>
  )
}

interface ActionButtonProps extends Omit<ButtonProps, 'does' | 'onClick'> {
  readonly run: () => Promise<unknown>
}

/** A button with its action, and below it the reason if that fails. */
export function ActionButton({ run, ...button }: ActionButtonProps): ReactNode {
  const action = useAction(run)
  return (
    <>
      <Button {...button} does={action} />
      <Problem of={action} />
    </>
  )
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'className'> {
  readonly label: string
  readonly icon: ReactNode
}

/** A button of which only the icon is seen; its label is read out. */
export function IconButton({ label, icon, ...rest }: IconButtonProps): ReactNode {
  return (
    <button type="button" {...rest} aria-label={label} className="icon-button">
      {icon}
    </button>
  )
}

/** A link to a page of this app, in a text. */
export function TextLink({ to, ...rest }: Omit<ComponentProps<'a'>, 'href'> & { readonly to: string }): ReactNode {
  return <Link {...rest} href={to} />
}
