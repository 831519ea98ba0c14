import { Button, CopyButton, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { LocalMail } from 'rxauth/platform'
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
        <span className="breakable">
          From {from} to {to}, <Instant at={sentAt} />
        </span>
      }
    >
      <Group gap="sm">
        {code !== null && code.length === 6 && <Copy value={code} label={`Copy the code ${code}`} />}
        {shown.map(link => (
          <Group key={link} gap={4}>
            <Button component="a" size="xs" href={link} target="_blank" rel="noreferrer" className="breakable">
              Open {pageOf(link)}
            </Button>
            <Copy value={link} label="Copy the link" name={`Copy the link to ${pageOf(link)}`} />
          </Group>
        ))}
        {shown.length === 0 && code === null && (
          <Text size="sm" c="dimmed">
            This mail has neither a link nor a code.
          </Text>
        )}
      </Group>
      <iframe
        title={`The mail “${subject}”`}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        // Without it links would open in the frame, where the console allows only its own pages.
        srcDoc={`<!doctype html><base target="_blank">${html}`}
        className="mail"
      />
    </Section>
  )
}

interface CopyProps {
  readonly value: string
  readonly label: string
  /** The accessible name, if the label alone is too short. */
  readonly name?: string
}

function Copy({ value, label, name = label }: CopyProps): ReactNode {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button size="xs" variant="default" onClick={copy} aria-label={name}>
          <span aria-live="polite">{copied ? 'Copied' : label}</span>
        </Button>
      )}
    </CopyButton>
  )
}

/** The page of a link, without secret or long parts. */
function pageOf(link: string): string {
  const { host, pathname } = new URL(link)
  return pathname === '/' ? host : pathname
}
