import { useState } from 'react'
import type { ReactNode } from 'react'
import type { EmailTemplateType } from 'rxauth/admin'
import { TextLink } from '../../ui/link'
import { PageHeading } from '../../ui/page-heading'
import { WithStore } from '../../ui/with-store'
import { useProject } from '../project/project-context'
import { TemplateEditor } from './template-editor'
import { templateNames } from './template-list'

/** One mail of the platform. */
export function TemplatePage({ type }: { readonly type: EmailTemplateType }): ReactNode {
  const { app, base } = useProject()
  /** Restarts the editor with the platform's template. */
  const [version, setVersion] = useState(0)
  const { name, when } = templateNames[type]
  return (
    <>
      <TextLink to={`${base}/emails`}>All e-mails</TextLink>
      <div>
        <PageHeading title={name} />
        <p className="dim">Sent when: {when}</p>
      </div>
      <WithStore store={app.emailTemplate$({ type })} label="Template">
        {template => (
          <TemplateEditor
            key={`${version} ${template.isDefault}`}
            template={template}
            onReset={() => setVersion(version + 1)}
          />
        )}
      </WithStore>
    </>
  )
}
