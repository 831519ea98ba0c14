import type { ReactNode } from 'react'
import type { LocalMail } from 'rxauth/platform'
import { CopyButton } from '../../example/ui/copy-field'
import { Section } from '../../example/ui/section'
import { Instant } from '../local/instant'

/** One mail, with its code and links as buttons. Its frame runs no scripts; its links open new tabs. */
export function OpenMail({ mail }: { readonly mail: LocalMail }): ReactNode {
  const { from, to, subject, html, links, code, sentAt } = mail
  // Links with other schemes could run code.
  const shown = links.filter(link => /^https?:\/\//.test(link))
  return (
    <Section
      title={subject}
      description={
        <>
          From {from} to {to}, <Instant at={sentAt} />
        </>
      }
    >
      <div className="auth-row">
        {code !== null && code.length === 6 && <CopyButton label={`Copy the code ${code}`} value={code} />}
        {shown.map(link => (
          <div key={link} className="auth-row tight">
            <a className="auth-button primary small breakable" href={link} target="_blank" rel="noreferrer">
              Open {pageOf(link)}
            </a>
            <CopyButton label="Copy the link" value={link} name={`Copy the link to ${pageOf(link)}`} />
          </div>
        ))}
        {shown.length === 0 && code === null && <p className="dim">This mail has neither a link nor a code.</p>}
      </div>
      <iframe
        title={`The mail “${subject}”`}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        // Without it links would open in the frame, where the console allows only its own pages.
        srcDoc={`<!doctype html><base target="_blank">${html}`}
        className="mail-preview"
      />
    </Section>
  )
}

/** The page of a link, without secret or long parts. */
function pageOf(link: string): string {
  const { host, pathname } = new URL(link)
  return pathname === '/' ? host : pathname
}
