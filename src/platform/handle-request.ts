import { throwIfAborted } from '../core/signals'
import type { Subject } from 'rxjs'
import { wait } from '../core/clock'
import type { Budgets, FaultPlan } from './test-tools/faults'
import type { PlatformServices } from './model/engine'
import { infrastructureReply, spoil } from './test-tools/faults'
import { withoutTwins, toResponse } from './http/reply'
import { isOfConsole } from './console/local-access'
import type { LocalAccess } from './console/local-access'
import { accessOf } from './http/perform'
import type { AnsweredRequest } from './platform'
import { replyTo } from './reply-to'
import { locate, pathOf, treeOf } from './http/router'
import type { Address } from './http/router'
import type { Work } from './test-tools/virtual-clock'

interface HandlerParts {
  readonly host: PlatformServices
  readonly access: LocalAccess
  readonly plan: FaultPlan
  readonly budgets: Budgets
  readonly addresses: readonly Address[]
  readonly answered$: Subject<AnsweredRequest>
}

/** Answers requests, applies the planned faults and publishes each answer. */
export function requestHandler({ host, access, plan, budgets, addresses, answered$ }: HandlerParts) {
  const { clock, rules } = host
  const tree = treeOf(addresses)
  return async (sent: Request, work: Work | undefined): Promise<Response> => {
    const request = rules.hasHeaderTwins ? withoutTwins(sent) : sent
    const { method, headers, signal } = request
    throwIfAborted(signal)
    const url = new URL(request.url)
    const place = locate(tree, method, url)
    if (place.kind === 'address') budgets.count(place.address)
    const fault = place.kind === 'address' && !isOfConsole(headers) ? plan.take(place.address) : undefined
    const [at, begunAt] = [clock.now(), clock.monotonic()]
    const reply = fault?.status === undefined ? await replyTo(host, place, request) : infrastructureReply(fault.status)
    const delayMillis = (fault?.delayMillis ?? 0) + (reply.delayMillis ?? 0)
    if (delayMillis > 0) {
      work?.pause()
      await wait(clock, delayMillis, signal).finally(() => work?.resume())
    }
    const told = fault ? spoil(reply, fault) : reply
    if (place.kind !== 'preflight') {
      answered$.next({ method, path: pathOf(url.pathname), access: accessOf(headers), status: reply.status })
      access.note({ request, at, tookMillis: clock.monotonic() - begunAt, reply: told, fault })
    }
    if (fault?.loseResponse)
      throw new TypeError('fetch failed', { cause: new Error('the local platform was told to lose this answer') })
    const date = new Date(clock.now()).toUTCString()
    return toResponse({ ...told, headers: { date, ...told.headers } }, request, rules)
  }
}
