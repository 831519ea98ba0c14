import { EventEmitter } from 'node:events'
import type { BrowserContext, Page } from '@playwright/test'
import { systemClock } from 'rxauth'
import { Requests } from '../../src/testing/requests'

const aMinute = 60_000

/** A page, and the requests of its browser; `settle` is the time in which the page goes through its tasks. */
function stage(evaluate: () => Promise<unknown> = () => Promise.resolve()) {
  const context = new EventEmitter()
  const requests = new Requests()
  requests.watch(context as unknown as BrowserContext)
  let isAnswered = false
  return {
    send: (request: object) => context.emit('request', request),
    answer: (request: object) => context.emit('requestfinished', request),
    fail: (request: object) => context.emit('requestfailed', request),
    wait: (millis = aMinute) => {
      const answered = requests.answered([{ evaluate }] as unknown as Page[], millis)
      return answered.then(() => (isAnswered = true))
    },
    isAnswered: () => isAnswered,
  }
}

async function turns(): Promise<void> {
  for (let count = 0; count < 20; count++) await Promise.resolve()
}

// Promise: playwright-clock-in-step
it('a step waits for the answers to its requests, and to those that follow them', async () => {
  const { send, answer, fail, wait, isAnswered } = stage()
  const [first, failing, next] = [{}, {}, {}]
  send(first)
  send(failing)
  const waited = wait()
  await turns()
  answer(first)
  await turns()
  expect(isAnswered()).toBe(false)
  fail(failing)
  // What the page does with the answer.
  send(next)
  await turns()
  expect(isAnswered()).toBe(false)
  answer(next)
  await waited
})

it('a step waits for what a page sends in its next task', async () => {
  const { send, answer, wait, isAnswered } = stage(() => {
    if (tasks-- > 0) send(late)
    return Promise.resolve()
  })
  const late = {}
  let tasks = 1
  const waited = wait()
  await turns()
  expect(isAnswered()).toBe(false)
  answer(late)
  await waited
})

it('a step waits for what a page sends some time after an answer that it had at the start', async () => {
  let isAsked = false
  const { send, answer, wait, isAnswered } = stage(() => {
    if (isAsked && !isSent) send(next)
    isSent = isAsked
    isAsked = true
    return Promise.resolve()
  })
  let isSent = false
  const [first, next] = [{}, {}]
  send(first)
  answer(first)
  const waited = wait()
  while (!isSent && !isAnswered()) await new Promise(resolve => systemClock.setTimeout(() => resolve(undefined), 1))
  await turns()
  expect(isAnswered()).toBe(false)
  answer(next)
  await waited
})

it('an answer that takes longer is waited for once, and a page that cannot be asked not at all', async () => {
  const { send, wait } = stage(() => Promise.reject(new Error('closed')))
  send({})
  await wait(1)
  await wait()
})
