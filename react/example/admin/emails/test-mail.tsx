import type { ReactNode } from 'react'
import type { AdminApp } from 'rxauth/admin'
import { useAction } from 'rxauth/react'
import { Alert } from '../../ui/alert'
import { EmailForm } from '../../ui/email-form'
import { useProject } from '../project/project-context'

type Server = Parameters<AdminApp['sendTestEmail']>[0]['emailConfig']

/** Tests a mail server before it is saved, and shows the server's error message. */
export function TestMail({ server }: { readonly server: Server }): ReactNode {
  const { app } = useProject()
  const test = useAction(async (recipientEmail: string) => {
    const { host, port, username, password, senderName, senderEmail } = server
    const emailConfig = { host, port, username, password, senderName, senderEmail }
    const outcome = await app.sendTestEmail({ recipientEmail, emailConfig })
    return { outcome }
  })
  const outcome = test.status === 'done' ? test.value.outcome : undefined
  return (
    <>
      <EmailForm
        label="Address for a test mail"
        inline="Test the mail server"
        autoComplete="off"
        submit="Send a test mail"
        // The form keeps the address for another attempt if the server has refused the mail.
        action={{ ...test, run: async address => (await test.run(address)).outcome }}
      />
      {outcome && (
        <Alert kind={outcome.ok ? 'good' : 'danger'} role={outcome.ok ? 'status' : 'alert'}>
          {outcome.ok ? 'The test mail has been sent.' : outcome.error.errorMessage}
        </Alert>
      )}
    </>
  )
}
