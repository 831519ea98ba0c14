import { setImmediate as nextTurn } from 'node:timers/promises'
import { act, fireEvent, render, renderHook, screen } from '@testing-library/react'
import { StrictMode, useEffect } from 'react'
import { AuthError, isAuthError } from 'rxauth'
import { useAction, type Action, type ActionOptions } from 'rxauth/react'
import { reactWorld } from './harness'

/** Calls that end on command. */
function calls<T>() {
  const open: { resolve(value: T): void; reject(error: unknown): void }[] = []
  const run = jest.fn((..._input: string[]) => new Promise<T>((resolve, reject) => open.push({ resolve, reject })))
  return { open, run }
}

const stateOf = ({ run: _run, reset: _reset, ...state }: Action<string[], unknown>) => state

describe('useAction', () => {
  it('is idle, running, then done with the value', async () => {
    const { open, run } = calls<number>()
    const { result } = renderHook(() => useAction(run), { wrapper: StrictMode })
    expect(stateOf(result.current)).toEqual({ status: 'idle' })
    let outcome: Promise<number> | undefined
    act(() => void (outcome = result.current.run('a', 'b')))
    expect(stateOf(result.current)).toEqual({ status: 'running' })
    await act(async () => open[0]!.resolve(7))
    expect(stateOf(result.current)).toEqual({ status: 'done', value: 7 })
    expect(await outcome).toBe(7)
    expect(run.mock.calls).toEqual([['a', 'b']])
  })

  it('covers returned and thrown failures with one switch, as a form does', async () => {
    const { app, platform, show, pass } = await reactWorld()
    let submit: (password: string) => void = () => undefined
    function Form() {
      const signIn = useAction((password: string) => app.signInWithPassword({ email: 'ada@example.com', password }))
      submit = password => void signIn.run(password)
      if (signIn.status === 'done') return <p>{signIn.value.userId === '' ? 'signed out' : 'signed in'}</p>
      if (signIn.status !== 'failed') return <p>{signIn.status}</p>
      switch (signIn.error.code) {
        case 'EMAIL_PASSWORD_MISMATCH':
          return <p>wrong</p>
        case 'INVALID_RESPONSE':
          return <p>broken</p>
        default:
          return <p>{signIn.error.message}</p>
      }
    }
    show(<Form />, { strict: true })
    act(() => submit('guess'))
    expect(screen.getByText('running')).toBeTruthy()
    await pass(0)
    expect(screen.getByText('wrong')).toBeTruthy()
    platform.faults.next('POST /auth/password/sign-in', { body: 'truncated' })
    act(() => submit('correct horse'))
    await pass(0)
    expect(screen.getByText('broken')).toBeTruthy()
    act(() => submit('correct horse'))
    await pass(0)
    expect(screen.getByText('signed in')).toBeTruthy()
  })

  it('has the error of a thrown failure, and its promise rejects with it', async () => {
    const { open, run } = calls<number>()
    const { result } = renderHook(() => useAction(run))
    const error = new AuthError('ABORTED', 'the caller aborted the call')
    let outcome: Promise<unknown> | undefined
    act(() => void (outcome = result.current.run()))
    await act(async () => open[0]!.reject(error))
    expect(stateOf(result.current)).toEqual({ status: 'failed', error })
    await expect(outcome).rejects.toBe(error)
  })

  it('makes CALLBACK_FAILED of anything else that is thrown, before the first await too', async () => {
    const cause = new Error('no such field')
    const { result } = renderHook(() =>
      useAction(() => {
        throw cause
      }),
    )
    await act(async () => void result.current.run())
    const { current } = result
    expect(current.status === 'failed' && isAuthError(current.error, 'CALLBACK_FAILED') && current.error.cause).toBe(
      cause,
    )
  })

  it('leaves no unhandled rejection behind when the promise is ignored', async () => {
    const unhandled = jest.fn()
    process.on('unhandledRejection', unhandled)
    const { result } = renderHook(() => useAction(() => Promise.reject(new Error('ignored'))))
    await act(async () => void result.current.run())
    await act(() => nextTurn())
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })

  it('shows the latest run, whichever ends first', async () => {
    const { open, run } = calls<string>()
    const { result } = renderHook(() => useAction(run), { wrapper: StrictMode })
    act(() => void result.current.run('first'))
    act(() => void result.current.run('second'))
    await act(async () => open[1]!.resolve('second'))
    expect(stateOf(result.current)).toEqual({ status: 'done', value: 'second' })
    await act(async () => open[0]!.resolve('first'))
    expect(stateOf(result.current)).toEqual({ status: 'done', value: 'second' })
  })

  it('goes back to idle on reset, and a run under way changes nothing more', async () => {
    const { open, run } = calls<number>()
    const { result } = renderHook(() => useAction(run))
    act(() => void result.current.run())
    act(() => result.current.reset())
    expect(stateOf(result.current)).toEqual({ status: 'idle' })
    await act(async () => open[0]!.resolve(1))
    expect(stateOf(result.current)).toEqual({ status: 'idle' })
  })

  it('keeps run and reset for life, and runs the function of the last render', async () => {
    const { result, rerender } = renderHook(({ name }) => useAction(async () => name), {
      initialProps: { name: 'old' },
    })
    const { run, reset } = result.current
    rerender({ name: 'new' })
    expect(result.current.run).toBe(run)
    expect(result.current.reset).toBe(reset)
    await act(async () => void run())
    expect(stateOf(result.current)).toEqual({ status: 'done', value: 'new' })
  })

  it('shows a run started by an effect, under StrictMode', async () => {
    const { open, run } = calls<number>()
    let started = false
    function Once() {
      const action = useAction(run)
      useEffect(() => {
        if (started) return
        started = true
        void action.run()
      }, [action])
      return <p>{action.status}</p>
    }
    render(<Once />, { wrapper: StrictMode })
    await act(async () => open[0]!.resolve(1))
    expect(screen.getByText('done')).toBeTruthy()
    expect(run).toHaveBeenCalledTimes(1)
  })

  it('renders nothing and reports nothing when it ends after the component has gone', async () => {
    const reports = jest.spyOn(console, 'error')
    const { open, run } = calls<number>()
    let renders = 0
    const { result, unmount } = renderHook(() => {
      renders++
      return useAction(run)
    })
    act(() => void result.current.run())
    const before = renders
    unmount()
    await act(async () => open[0]!.resolve(1))
    expect(renders).toBe(before)
    expect(reports).not.toHaveBeenCalled()
    reports.mockRestore()
  })
})

/** A form as people press it: twice, and by Enter, before the page shows that it is running. */
function pressed(mode: ActionOptions['while']) {
  const { open, run } = calls<string>()
  const outcomes: Promise<string>[] = []
  let presses = 0
  function Form() {
    const action = useAction(run, mode && { while: mode })
    return (
      <form
        onSubmit={event => {
          event.preventDefault()
          outcomes.push(action.run(`press ${++presses}`))
        }}
      >
        <input aria-label="Name" />
        <button>Save</button>
        <p>{action.status === 'done' ? action.value : action.status}</p>
      </form>
    )
  }
  render(<Form />, { wrapper: StrictMode })
  const save = screen.getByRole('button')
  act(() => {
    fireEvent.click(save)
    fireEvent.click(save)
    // Enter in the field.
    fireEvent.submit(screen.getByRole('textbox'))
  })
  const shown = () => document.querySelector('p')!.textContent
  const end = (index: number, how: (call: (typeof open)[0]) => void) => act(async () => how(open[index]!))
  return { end, inputs: () => run.mock.calls.flat(), outcomes, save, shown }
}

// Promise: one-press
describe('of a double click and Enter', () => {
  it.each([undefined, 'overlap'] as const)('each runs, and the last one is shown (while: %s)', async mode => {
    const { end, inputs, outcomes, shown } = pressed(mode)
    expect(inputs()).toEqual(['press 1', 'press 2', 'press 3'])
    await end(2, call => call.resolve('third'))
    await end(0, call => call.resolve('first'))
    expect(shown()).toBe('third')
    await end(1, call => call.resolve('second'))
    expect(await Promise.all(outcomes)).toEqual(['first', 'second', 'third'])
  })

  it('the first runs, and the others join it', async () => {
    const { end, inputs, outcomes, save, shown } = pressed('join')
    expect(inputs()).toEqual(['press 1'])
    expect(shown()).toBe('running')
    await end(0, call => call.resolve('first'))
    expect(shown()).toBe('first')
    expect(await Promise.all(outcomes)).toEqual(['first', 'first', 'first'])
    act(() => void fireEvent.click(save))
    expect(inputs()).toEqual(['press 1', 'press 4'])
  })

  it('the first runs, and the others are dropped', async () => {
    const unhandled = jest.fn()
    process.on('unhandledRejection', unhandled)
    const { end, inputs, outcomes, save, shown } = pressed('drop')
    expect(inputs()).toEqual(['press 1'])
    expect(shown()).toBe('running')
    await end(0, call => call.reject(new AuthError('ABORTED', 'by the test')))
    expect(shown()).toBe('failed')
    await act(() => nextTurn())
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
    const dropped = { code: 'ABORTED', message: expect.stringContaining('dropped') as string }
    await expect(outcomes[1]).rejects.toMatchObject(dropped)
    await expect(outcomes[2]).rejects.toMatchObject(dropped)
    act(() => void fireEvent.click(save))
    expect(inputs()).toEqual(['press 1', 'press 4'])
  })

  it('each runs after the one before it, also after a failure', async () => {
    const { end, inputs, outcomes, save, shown } = pressed('queue')
    expect(inputs()).toEqual(['press 1'])
    const failure = new AuthError('ABORTED', 'by the test')
    await end(0, call => call.reject(failure))
    // Pressed while the second one runs, it waits for the third.
    act(() => void fireEvent.click(save))
    expect(inputs()).toEqual(['press 1', 'press 2'])
    expect(shown()).toBe('running')
    await end(1, call => call.resolve('second'))
    expect(inputs()).toEqual(['press 1', 'press 2', 'press 3'])
    await end(2, call => call.resolve('third'))
    expect(shown()).toBe('running')
    await end(3, call => call.resolve('fourth'))
    expect(shown()).toBe('fourth')
    await expect(outcomes[0]).rejects.toBe(failure)
    expect(await Promise.all(outcomes.slice(1))).toEqual(['second', 'third', 'fourth'])
  })

  it('one that joins after a reset shows the run under way', async () => {
    const { open, run } = calls<string>()
    const { result } = renderHook(() => useAction(run, { while: 'join' }))
    act(() => void result.current.run())
    act(() => result.current.reset())
    act(() => void result.current.run())
    expect(stateOf(result.current)).toEqual({ status: 'running' })
    await act(async () => open[0]!.resolve('first'))
    expect(stateOf(result.current)).toEqual({ status: 'done', value: 'first' })
  })
})
