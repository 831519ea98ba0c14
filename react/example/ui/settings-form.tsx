import type { ComponentProps, ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { useWords } from '../words/use-words'
import { isRefused, problemOf } from './alert'
import { Button } from './button'
import { Dialog, useOpen } from './dialog'
import { Choice, Choices, PasswordField, Select, TextArea, TextField, type Option } from './field'
import { Form, useForm, type FormState } from './form'

type FieldWords =
  | 'label'
  | 'aria-label'
  | 'hint'
  | 'placeholder'
  | 'className'
  | 'autoComplete'
  | 'maxLength'
  | 'min'
  | 'max'
  | 'spellCheck'

/** A value of a form: a text, some of its `options`, or a check box for what is true or false. */
export interface FormSetting<V> extends Pick<ComponentProps<typeof TextField>, FieldWords> {
  readonly name: keyof V & string
  /** A password, and a text that is `exact`, keep their spaces. */
  readonly type?: 'email' | 'url' | 'number' | 'password' | 'exact'
  /** The lines of a field that has several. */
  readonly rows?: number
  readonly options?: readonly (Option & { readonly hint?: string })[]
  /** Shows all options at once, of which one or several are chosen. */
  readonly kind?: 'radio' | 'checkbox'
  /** Why a text cannot be saved; null if it can. */
  readonly validate?: (text: string, values: V) => string | null
  /** Whether the field is there, for values that depend on others. */
  readonly isShown?: (values: V) => boolean
}

interface Props<V extends object> extends Pick<ComponentProps<typeof Form>, 'label' | 'submit' | 'onCancel'> {
  readonly initial: V
  /** The fields, one below the other; those of a list are beside each other. */
  readonly settings: readonly (FormSetting<V> | readonly FormSetting<V>[])[]
  /** The field that shows why the action has failed, if it is not shown above the buttons. */
  readonly problemAt?: keyof V & string
  /** `isChanged` tells which fields differ from what they showed at first. */
  readonly save: (values: V, isChanged: FormState<V>['isChanged']) => Promise<unknown>
  /** Called when the action has succeeded. */
  readonly onDone?: () => void
  /** Below the fields. */
  readonly note?: ReactNode
  /** Below the form, by the values that its fields show. */
  readonly children?: (values: V) => ReactNode
}

/** A form over a list of settings. Without `onCancel` it stays after its action, and then shows what was saved. */
export function SettingsForm<V extends object>(props: Props<V>): ReactNode {
  const { initial, settings, save, onDone, problemAt, note, children, ...rest } = props
  const words = useWords()
  const stays = rest.onCancel === undefined
  const all: readonly FormSetting<V>[] = settings.flat()
  const isThere = ({ isShown }: FormSetting<V>, values: V) => isShown?.(values) ?? true
  const form = useForm<V>({
    initial,
    // By the names of settings, which are keys of V.
    validate: Object.fromEntries(
      all.map(each => [
        each.name,
        (text: string, values: V) => (isThere(each, values) ? (each.validate?.(text, values) ?? null) : null),
      ]),
    ) as object,
    clean(values) {
      const texts = all.filter(
        ({ name, type = '' }) => !['password', 'exact'].includes(type) && typeof values[name] === 'string',
      )
      return { ...values, ...Object.fromEntries(texts.map(({ name }) => [name, String(values[name]).trim()])) }
    },
  })
  const action = useAction(async (values: V) => {
    const result = await save(values, form.isChanged)
    if (isRefused(result)) return result
    if (stays) form.settle()
    onDone?.()
    return result
  })
  const fieldOf = (setting: FormSetting<V>) => (
    <SettingField
      key={setting.name}
      setting={setting}
      form={form}
      problem={setting.name === problemAt ? problemOf(action, words) : undefined}
      isFirst={!stays && setting === all[0]}
    />
  )
  return (
    <>
      <Form
        {...rest}
        form={form}
        action={action}
        isProblemShown={problemAt !== undefined}
        {...(stays && { isSaved: action.status === 'done' })}
      >
        {settings.map(each => {
          const row = [each].flat().filter(setting => isThere(setting, form.values))
          if (row.length < 2) return row.map(fieldOf)
          return (
            <div key={row[0]?.name} className="auth-row top">
              {row.map(fieldOf)}
            </div>
          )
        })}
        {note}
      </Form>
      {children?.(form.values)}
    </>
  )
}

interface SettingFieldProps<V extends object> {
  readonly setting: FormSetting<V>
  readonly form: FormState<V>
  /** Why the action has failed. */
  readonly problem: string | undefined
  /** A dialog that opens gives it the focus. */
  readonly isFirst: boolean
}

/** The field of a setting, by the type of its value. */
function SettingField<V extends object>({ setting, form, problem, isFirst }: SettingFieldProps<V>): ReactNode {
  const { name, type, rows, options, kind, validate: _, isShown: _shown, ...labels } = setting
  const { value, ...field } = form.field(name)
  const error = field.error ?? problem
  // The name is a key of V, and its field sets values of that type.
  const set = (next: unknown) => form.set({ [name]: next } as Partial<V>)
  if (typeof value === 'boolean')
    return <Choice label={labels.label} checked={value} onChange={event => set(event.currentTarget.checked)} />
  if (options && kind)
    return (
      <Choices
        legend={labels.label ?? ''}
        hint={labels.hint}
        error={error}
        kind={kind}
        options={options}
        // One text, or a list of them.
        chosen={[value].flat() as string[]}
        onChange={chosen => set(kind === 'radio' ? chosen[0] : chosen)}
      />
    )
  const shown = { ...labels, ...field, error, value: String(value), 'data-autofocus': isFirst || undefined }
  if (options) return <Select options={options} {...shown} />
  if (rows !== undefined) return <TextArea rows={rows} {...shown} />
  if (type === 'password') return <PasswordField autoComplete="new-password" {...shown} />
  if (type === 'number')
    return <TextField {...shown} type={type} onChange={event => set(event.currentTarget.valueAsNumber || 0)} />
  return <TextField type={type === 'exact' ? 'text' : (type ?? 'text')} autoComplete="off" {...shown} />
}

interface FormDialogProps<V extends object>
  extends
    Omit<Props<V>, 'label' | 'onCancel' | 'onDone' | 'children'>,
    Omit<ComponentProps<typeof Dialog>, 'children'> {
  /** The name of the form, if it is not the title. */
  readonly formLabel?: string
}

/** A form in a dialog, which closes when its action has succeeded. */
export function FormDialog<V extends object>(props: FormDialogProps<V>): ReactNode {
  const { isOpen, onClose, title, formLabel = title, ...form } = props
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <SettingsForm {...form} label={formLabel} onCancel={onClose} onDone={onClose} />
    </Dialog>
  )
}

interface FormButtonProps<V extends object> extends Omit<FormDialogProps<V>, 'isOpen' | 'onClose' | 'title'> {
  /** The label of the button, and the title of the dialog if that has none of its own. */
  readonly label: string
  readonly title?: string
  /** The look of the button, and its accessible name if the label is too short. */
  readonly button?: Pick<ComponentProps<typeof Button>, 'kind' | 'isSmall' | 'aria-label'>
}

/** A button that opens a form in a dialog. */
export function FormButton<V extends object>(props: FormButtonProps<V>): ReactNode {
  const { label, title = label, formLabel = label, button, ...form } = props
  const [isOpen, { open, close }] = useOpen()
  return (
    <>
      <Button {...button} label={label} onClick={open} />
      <FormDialog {...form} isOpen={isOpen} onClose={close} title={title} formLabel={formLabel} />
    </>
  )
}
