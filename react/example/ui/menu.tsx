import { EllipsisHorizontalIcon } from '@heroicons/react/24/outline'
import { useEffect, useId, useRef, useState, type ComponentProps, type KeyboardEvent, type ReactNode } from 'react'
import { Link } from './navigation'
import { useWords } from '../words/use-words'

interface Props {
  /** The content of the button that opens the menu. */
  readonly button: ReactNode
  /** The name of the button, if its content has no text. */
  readonly label?: string | undefined
  readonly className?: string
  /** Which edge of the button the menu begins at. */
  readonly from?: 'start' | 'end'
  readonly children: ReactNode
}

/** A button that opens a menu of `MenuItem` and `MenuLink`. The browser closes it, places it and gives the focus back. */
export function Menu({ button, label, className = 'icon-button', from = 'end', children }: Props): ReactNode {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (isOpen) itemsOf(menu.current)[0]?.focus()
  }, [isOpen])
  const move = (event: KeyboardEvent) => {
    // The focus goes back to the button, and from there to what is before or after it.
    if (event.key === 'Tab') menu.current?.hidePopover()
    const all = itemsOf(menu.current)
    const here = all.findIndex(item => item === document.activeElement)
    const next = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: -1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    all.at(next % all.length)?.focus()
  }
  return (
    <div className="auth contents">
      <button type="button" id={`${id}-button`} className={className} popoverTarget={id} aria-haspopup="menu">
        <span className="contents" aria-hidden={label !== undefined}>
          {button}
        </span>
        {label !== undefined && <span className="for-readers">{label}</span>}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-labelledby={`${id}-button`}
        className={`auth-menu ${from}`}
        onToggle={event => setOpen(event.newState === 'open')}
        onKeyDown={move}
        onClick={() => menu.current?.hidePopover()}
      >
        {isOpen && children}
      </div>
    </div>
  )
}

/** The items that are shown: some may be for narrow windows only. */
function itemsOf(menu: HTMLElement | null): HTMLElement[] {
  const all = menu?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []
  return [...all].filter(item => item.checkVisibility())
}

/** The actions for one thing of a list. */
export function ActionsMenu({ of, children }: { readonly of: string; readonly children: ReactNode }): ReactNode {
  const { ui } = useWords()
  return (
    <Menu label={ui.actionsFor(of)} button={<EllipsisHorizontalIcon width={22} />}>
      {children}
    </Menu>
  )
}

interface MenuContent {
  readonly icon?: ReactNode
  readonly label: ReactNode
  readonly after?: ReactNode
}

interface ItemProps extends Omit<ComponentProps<'button'>, 'children'>, MenuContent {
  readonly isDangerous?: boolean
}

export function MenuItem({ icon, label, after, isDangerous = false, ...rest }: ItemProps): ReactNode {
  return (
    <button type="button" {...rest} role="menuitem" className={isDangerous ? 'menu-item danger' : 'menu-item'}>
      {icon}
      <span>{label}</span>
      {after}
    </button>
  )
}

/** A page of this app. */
export function MenuLink({ to, icon, label }: MenuContent & { readonly to: string }): ReactNode {
  return (
    <Link href={to} role="menuitem" className="menu-item">
      {icon}
      <span>{label}</span>
    </Link>
  )
}
