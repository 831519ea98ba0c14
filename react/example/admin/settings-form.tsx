import type { ComponentProps, ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { Choice, PasswordField, TextArea, TextField } from '../ui/field'
import { Form, useForm, type FormState } from '../ui/form'

type FieldWords = 'label' | 'aria-label' | 'hint' | 'placeholder' | 'className' | 'maxLength' | 'spellCheck'

/** A value of a form: a text, or a check box for what is true or false. */
export interface FormSetting<V> extends Pick<ComponentProps<typeof TextField>, FieldWords> {
  readonly name: keyof V & string
  /** The lines of a field that has several. */
  readonly rows?: number
  /** A password, and a text that is `exact`, keep their spaces. */
  readonly type?: 'email' | 'password' | 'exact'
  /** Why a text cannot be saved; null if it can. */
  readonly validate?: (text: string) => string | null
}

interface Props<V> extends Pick<ComponentProps<typeof Form>, 'label' | 'submit' | 'onCancel'> {
  readonly initial: V
  readonly settings: readonly FormSetting<V>[]
  /** `isChanged` tells which fields differ from what they showed at first. */
  readonly save: (values: V, isChanged: FormState<V>['isChanged']) => Promise<unknown>
  /** The fields are beside each other. */
  readonly isRow?: boolean
}

/** A form over a list of settings. Without `onCancel` it stays after its action, and then shows what was saved. */
export function SettingsForm<V extends object>(props: Props<V>): ReactNode {
  const { initial, settings, save, isRow = false, ...rest } = props
  const stays = rest.onCancel === undefined
  const form = useForm<V>({
    initial,
    validate: Object.fromEntries(settings.map(({ name, validate = () => null }) => [name, validate])) as object,
    clean(values) {
      const texts = settings.filter(
        ({ name, type }) => (type ?? 'email') === 'email' && typeof values[name] === 'string',
      )
      return { ...values, ...Object.fromEntries(texts.map(({ name }) => [name, String(values[name]).trim()])) }
    },
  })
  const action = useAction(async (values: V) => {
    const result = await save(values, form.isChanged)
    const isRefused = typeof result === 'object' && result !== null && 'ok' in result && result.ok === false
    if (stays && !isRefused) form.settle()
    return result
  })
  const fields = settings.map(({ name, rows, type, validate: _, ...words }, index) => {
    const { value, ...field } = form.field(name)
    const set = (checked: boolean) => form.set({ [name]: checked } as Partial<V>)
    if (typeof value === 'boolean')
      return (
        <Choice key={name} label={words.label} checked={value} onChange={event => set(event.currentTarget.checked)} />
      )
    const all = { ...words, ...field, value: String(value), 'data-autofocus': (!stays && index === 0) || undefined }
    if (rows !== undefined) return <TextArea key={name} rows={rows} {...all} />
    if (type === 'password') return <PasswordField key={name} autoComplete="new-password" {...all} />
    return <TextField key={name} type={type === 'email' ? type : 'text'} autoComplete="off" {...all} />
  })
  return (
    <Form {...rest} form={form} action={action} {...(stays && { isSaved: action.status === 'done' })}>
      {isRow ? <div className="auth-row top">{fields}</div> : fields}
    </Form>
  )
}
