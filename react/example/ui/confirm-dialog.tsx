import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { Button } from './button'
import { Dialog } from './dialog'
import { Problem } from './problem'
import { useWords } from '../words/use-words'

/** The question before an action that cannot be undone. */
export interface Question {
  readonly question: string
  /** The result of the action, and that it cannot be undone. */
  readonly consequence: ReactNode
  /** The label of the confirming button. */
  readonly answer: string
  readonly run: () => Promise<unknown>
}

interface Props extends Question {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Asks first, and stays open with the reason if the action fails. */
export function ConfirmDialog({ isOpen, onClose, question, consequence, answer, run }: Props): ReactNode {
  const { ui } = useWords()
  const action = useAction(run)
  const close = () => {
    onClose()
    action.reset()
  }
  const confirm = async () => {
    const result = await action.run()
    const isRefused = typeof result === 'object' && result !== null && 'ok' in result && result.ok === false
    if (!isRefused) close()
  }
  return (
    <Dialog isOpen={isOpen} onClose={close} title={question}>
      <p className="breakable">{consequence}</p>
      <Problem of={action} />
      <div className="auth-row end">
        <Button kind="plain" onClick={close} data-autofocus>
          {ui.cancel}
        </Button>
        {/* An error of `confirm` is shown above. */}
        <Button
          kind="danger"
          isBusy={action.status === 'running'}
          onClick={() => void confirm().catch(() => undefined)}
        >
          {answer}
        </Button>
      </div>
    </Dialog>
  )
}
