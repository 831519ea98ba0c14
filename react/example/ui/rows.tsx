import { useState, type ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { Forbidden, Problem } from './alert'
import { Button } from './button'
import { Confirmation, Dialog, type Question } from './dialog'
import { ActionsMenu, MenuItem } from './menu'
import { WithStore, type WithStoreProps } from './with-store'

interface RowsProps {
  /** The name of the list, if no heading has it. */
  readonly label?: string
  readonly children: ReactNode
}

/** The rows of a list, one below the other. */
export function Rows({ label, children }: RowsProps): ReactNode {
  return (
    <ul className="rows" aria-label={label}>
      {children}
    </ul>
  )
}

interface RowProps {
  /** A picture or an icon. */
  readonly icon?: ReactNode
  readonly title: ReactNode
  /** Beside or below the title. */
  readonly badges?: ReactNode
  /** The line below the title. */
  readonly detail?: ReactNode
  /** A button, a menu or a state at the end. */
  readonly action?: ReactNode
  /** Errors of the action, and its dialogs. */
  readonly children?: ReactNode
}

/** One thing of a list: what it is, and what can be done with it. */
export function Row({ icon, title, badges, detail, action, children }: RowProps): ReactNode {
  return (
    <li className="auth-stack snug">
      <div className="auth-row between">
        <div className="auth-row oneline grow">
          {icon}
          <div>
            <div className="auth-row snug">
              <span className="strong breakable">{title}</span>
              {badges}
            </div>
            {detail && <div className="fine dim breakable">{detail}</div>}
          </div>
        </div>
        {action}
      </div>
      {children}
    </li>
  )
}

interface ActionRowProps extends Omit<RowProps, 'action' | 'children'> {
  /** The label of the button. */
  readonly button: string
  /** The accessible name of the button, if its label is too short, as in a list. */
  readonly name: string
  /** `plain` unless the action is what the list is for. */
  readonly kind?: 'plain' | 'primary'
  readonly run: () => Promise<unknown>
}

/** A row with one button, and the reason if its action fails. */
export function ActionRow({ button, name, kind = 'plain', run, ...row }: ActionRowProps): ReactNode {
  const action = useAction(run)
  return (
    <Row {...row} action={<Button label={button} kind={kind} isSmall aria-label={name} does={action} />}>
      <Problem of={action} />
    </Row>
  )
}

interface MenuRowProps extends Omit<RowProps, 'action'> {
  /** The name of the thing, for the name of the menu. */
  readonly of: string
  /** Before the menu. */
  readonly button?: ReactNode
  /** The entries of the menu: one with a question asks first. Those that are false are left out. */
  readonly actions: readonly (({ readonly label: string } & (Pick<Question, 'run'> | Question)) | false)[]
}

/** A row with a menu of actions, and the reason if one fails. */
export function MenuRow({ of, button, actions, children, ...row }: MenuRowProps): ReactNode {
  const [asking, setAsking] = useState<string>()
  const act = useAction((run: () => Promise<unknown>) => run())
  const shown = actions.filter(action => action !== false)
  const asked = shown.filter(action => 'question' in action).find(({ label }) => label === asking)
  const close = () => setAsking(undefined)
  const menu = shown.length > 0 && (
    <div className="auth-row tight">
      {button}
      <ActionsMenu of={of}>
        {shown.map(action => {
          const { label, run } = action
          if (!('question' in action)) return <MenuItem key={label} label={label} onClick={() => void act.run(run)} />
          return <MenuItem key={label} label={label} isDangerous onClick={() => setAsking(label)} />
        })}
      </ActionsMenu>
    </div>
  )
  return (
    <Row {...row} action={menu}>
      {children}
      <Problem of={act} />
      {asked && (
        <Dialog isOpen onClose={close} title={asked.question}>
          <Confirmation {...asked} close={close} />
        </Dialog>
      )}
    </Row>
  )
}

interface ListProps<T> {
  /** The name of the list. */
  readonly label: string
  readonly items: readonly T[]
  /** Shown if there are none. */
  readonly empty: ReactNode
  /** A row; it has a key. */
  readonly children: (item: T) => ReactNode
}

/** The rows of a list that is loaded already, or a text if it is empty. */
export function ListOf<T>({ label, items, empty, children }: ListProps<T>): ReactNode {
  return items.length === 0 ? (
    <p className="dim" role="status">
      {empty}
    </p>
  ) : (
    <Rows label={label}>{items.map(item => children(item))}</Rows>
  )
}

interface Props<T> extends Omit<ListProps<T>, 'items'>, Pick<WithStoreProps<readonly T[]>, 'store' | 'refusal'> {
  /** Known without a request; the platform's own refusal is shown anyway. */
  readonly isForbidden?: boolean
}

/** A list in each of its states: those of `WithStore`, forbidden without a request, and empty. */
export function StoreList<T>({ store, label, isForbidden = false, refusal, empty, children }: Props<T>): ReactNode {
  if (isForbidden) return <Forbidden />
  return (
    <WithStore store={store} label={label} refusal={refusal}>
      {items => (
        <ListOf label={label} items={items} empty={empty}>
          {children}
        </ListOf>
      )}
    </WithStore>
  )
}
