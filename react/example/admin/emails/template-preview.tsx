import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import type { AdminApp } from 'rxauth/admin'
import { useAction } from 'rxauth/react'
import { Problem } from '../../ui/problem'
import { Section } from '../../ui/section'
import { useDebounced } from '../../ui/use-debounced'
import { useProject } from '../project/project-context'
import { previewHtml } from './preview-html'
import { filled } from './samples'
import type { Samples } from './samples'

type PreviewTheme = Parameters<AdminApp['renderEmail']>[0]['theme']

interface Props {
  readonly subject: string
  readonly content: unknown
  readonly samples: Samples
  readonly theme: string
}

/** The mail as rendered by the platform. The frame allows no scripts and no other pages. */
export function TemplatePreview({ subject, content, samples, theme }: Props): ReactNode {
  const { app } = useProject()
  const [shown, setShown] = useState<string>()
  const html = useDebounced(previewHtml(content, samples), 200)
  const { run, ...rendering } = useAction(async (look: PreviewTheme, inner: string) => {
    const result = await app.renderEmail({ theme: look, previewHtml: inner })
    if (result.ok) setShown(result.value.html)
    return result
  })
  const look: PreviewTheme = theme === 'default-dark' ? 'default-dark' : 'default-light'
  useEffect(() => {
    void run(look, html).catch(() => undefined)
  }, [run, look, html])
  return (
    <Section title="Preview">
      <p className="strong">{filled(subject, samples)}</p>
      <Problem of={rendering} />
      {shown === undefined ? (
        <div className="auth-skeleton" style={{ height: 320 }} />
      ) : (
        // Its links do nothing: the sandbox forbids new tabs.
        <iframe
          title="Preview of the e-mail"
          sandbox=""
          srcDoc={`<!doctype html><base target="_blank">${shown}`}
          className="mail-preview"
        />
      )}
    </Section>
  )
}
