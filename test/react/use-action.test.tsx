import { setImmediate as nextTurn } from 'node:timers/promises'
import { act, render, renderHook, screen } from '@testing-library/react'
import { StrictMode, useEffect } from 'react'
import { AuthError, isAuthError } from 'rxauth'
import { useAction } from 'rxauth/react'
import type { Action } from 'rxauth/react'
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
