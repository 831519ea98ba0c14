import type { OwnedProject } from 'rxauth'
import { Group, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { focusFirstProblem } from '../../ui/focus-first-problem'
import { SavedForm } from '../../ui/saved-form'
import { useProject } from '../project/project-context'

/** A domain of the project. */
export type Domain = OwnedProject['config']['domains'][number]

/** Adds a domain that redirects may lead to. */
export function AddDomainForm({ domains }: { readonly domains: readonly Domain[] }): ReactNode {
  const { app } = useProject()
  const form = useForm<Domain>({
    initialValues: { domain: '', handlerPath: '/handler' },
    transformValues: ({ domain, handlerPath }) => ({ domain: domain.trim(), handlerPath: handlerPath.trim() }),
    validate: {
      domain: value =>
        !/^https?:\/\/[^/\s]+$/.test(value.trim())
          ? 'Enter a domain with its scheme, like https://example.com.'
          : domains.some(({ domain }) => domain === value.trim())
            ? 'This domain is trusted already.'
            : null,
      handlerPath: value => (value.trim().startsWith('/') ? null : 'Begin with a slash, like /handler.'),
    },
  })
  const add = useAction(async (domain: Domain) => {
    await app.updateProject({ config: { domains: [...domains, domain] } })
    // The list shows the new domain before the answer, and another one may have been typed meanwhile.
    if (form.getValues().domain.trim() === domain.domain.trim()) form.reset()
  })
  return (
    <SavedForm
      label="Add a domain"
      action={add}
      answer="Add domain"
      onSubmit={form.onSubmit(values => void add.run(values).catch(() => undefined), focusFirstProblem(form))}
    >
      <Group gap="sm" align="flex-start">
        <TextInput
          label="Domain"
          flex="2 1 14rem"
          placeholder="https://example.com"
          autoComplete="off"
          {...form.getInputProps('domain')}
        />
        <TextInput label="Handler path" flex="1 1 8rem" autoComplete="off" {...form.getInputProps('handlerPath')} />
      </Group>
    </SavedForm>
  )
}
