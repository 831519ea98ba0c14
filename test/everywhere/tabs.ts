import { fromEvent, map } from 'rxjs'
import { storageTokens, type ClientApp, type TokenStorage, type TokenStore } from 'rxauth'
import { smoke, type OtherTab } from './smoke'

/** The other tab answers `otherTab` about what this app shows. */
export function answerTabs(app: ClientApp): void {
  let shown: string | null | undefined
  let wanted: string | null | undefined
  const channel = new BroadcastChannel('tabs')
  const answer = () => {
    if (wanted === undefined || shown !== wanted) return
    wanted = undefined
    channel.postMessage('shown')
  }
  channel.onmessage = ({ data }: MessageEvent<{ readonly wanted: string | null }>) => {
    wanted = data.wanted
    answer()
  }
  app.user$.subscribe(user => {
    shown = user && user.displayName
    answer()
  })
}

export const otherTab: OtherTab = wanted =>
  new Promise(resolve => {
    const channel = new BroadcastChannel('tabs')
    channel.onmessage = () => {
      channel.close()
      resolve(undefined)
    }
    channel.postMessage({ wanted })
  })

/** What the program of this worker comes to: `runs`, or its error. */
export async function tell(open: () => ClientApp): Promise<void> {
  const run = async () => smoke(open(), otherTab)
  const said = await run().then(() => 'runs', String)
  new BroadcastChannel('result').postMessage(said)
}

export const told = (): Promise<string> =>
  new Promise(resolve => {
    new BroadcastChannel('result').onmessage = ({ data }: MessageEvent<string>) => {
      resolve(data)
    }
  })

/** Tokens that the workers and the pages of an origin share. */
export function sharedTokens(storage: TokenStorage): TokenStore {
  const store = storageTokens(storage)
  const channel = new BroadcastChannel('tokens')
  return {
    ...store,
    sharedAs: 'tokens',
    changes$: fromEvent(channel, 'message').pipe(map(() => undefined)),
    async replace(expected, next) {
      const isReplaced = await store.replace(expected, next)
      if (isReplaced) channel.postMessage(null)
      return isReplaced
    },
  }
}

/** The cache of an origin as a storage: workers have it too. */
export const cached: TokenStorage = {
  getItem: async key => (await (await caches.open('tokens')).match(`/${key}`))?.text() ?? null,
  setItem: async (key, value) => (await caches.open('tokens')).put(`/${key}`, new Response(value)),
  removeItem: async key => (await caches.open('tokens')).delete(`/${key}`),
}

/** Resolves once the page has this text: for a framework, the page is what `otherTab` is to other places. */
export const shown = (element: Element, text: string): Promise<unknown> =>
  new Promise(resolve => {
    const look = () => {
      if (element.textContent.trim() !== text) return
      observer.disconnect()
      resolve(undefined)
    }
    const observer = new MutationObserver(look)
    observer.observe(element, { childList: true, characterData: true, subtree: true })
    look()
  })
