import { fail, obey, openStage } from './stage'
import type { FaultName, Order } from './stage'

/** Storage that ends with the page. */
function storage() {
  const items = new Map<string, string>()
  return {
    get length() {
      return items.size
    },
    key: (index: number) => [...items.keys()][index] ?? null,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
    clear: () => items.clear(),
  }
}

/** The platform is new in each frame: cookies and storage of the site, which all frames share, would belong to another one. */
function forgetWithThePage(): void {
  const cookies = new Map<string, string>()
  Object.defineProperty(document, 'cookie', {
    get: () => [...cookies].map(cookie => cookie.join('=')).join('; '),
    set(text: string) {
      const [, name = '', value = '', attributes = ''] = /^([^=;]*)=([^;]*)(.*)$/.exec(text) ?? []
      if (/;\s*max-age=0/i.test(attributes)) cookies.delete(name.trim())
      else cookies.set(name.trim(), value.trim())
    },
  })
  for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { value: storage() })
}

/** The app is at the address of the site's first page, and stays there. */
function stay(): void {
  const fault = location.hash.slice(1) as FaultName
  history.replaceState(null, '', '/')
  void obey({ type: 'fault', fault })
  addEventListener('message', ({ data, source }: MessageEvent<Order>) => {
    if (source === window.parent) obey(data).catch(fail)
  })
}

forgetWithThePage()
openStage()
stay()
