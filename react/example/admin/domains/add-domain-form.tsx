import type { ReactNode } from 'react'
import type { OwnedProject } from 'rxauth'
import { useAction } from 'rxauth/react'
import { TextField } from '../../ui/field'
import { Form } from '../../ui/form'
import { useForm } from '../../ui/use-form'

/** A domain of the project. */
export type Domain = OwnedProject['config']['domains'][number]

interface Props {
  readonly domains: readonly Domain[]
  readonly add: (domain: Domain) => Promise<unknown>
}

/** Adds a domain that redirects may lead to. */
export function AddDomainForm({ domains, add }: Props): ReactNode {
  const problemOf = (domain: string) => {
    if (!/^https?:\/\/[^/\s]+$/.test(domain)) return 'Enter a domain with its scheme, like https://example.com.'
    return domains.some(each => each.domain === domain) ? 'This domain is trusted already.' : null
  }
  const form = useForm<Domain>({
    initial: { domain: '', handlerPath: '/handler' },
    clean: ({ domain, handlerPath }) => ({ domain: domain.trim(), handlerPath: handlerPath.trim() }),
    validate: {
      domain: value => problemOf(value.trim()),
      handlerPath: value => (value.trim().startsWith('/') ? null : 'Begin with a slash, like /handler.'),
    },
  })
  const adding = useAction(async (domain: Domain) => {
    await add(domain)
    // The list shows the new domain before the answer, and another one may have been typed meanwhile.
    form.settle()
  })
  return (
    <Form label="Add a domain" form={form} action={adding} submit="Add domain" isSaved={adding.status === 'done'}>
      <div className="auth-row top">
        <TextField
          className="grow"
          label="Domain"
          placeholder="https://example.com"
          autoComplete="off"
          {...form.field('domain')}
        />
        <TextField className="grow" label="Handler path" autoComplete="off" {...form.field('handlerPath')} />
      </div>
    </Form>
  )
}
