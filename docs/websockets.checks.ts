// set-up websocket-server-sent-events
import { WebSocket as NodeSocket } from 'ws'

serve()
process.env['PORT'] = '0'
let listens = (_: number) => {}
const port = new Promise<number>(resolve => (listens = resolve))
let hear = () => {}
const news = new Promise<void>(resolve => (hear = resolve))
/** That of a page whose backend is the one below. */
class PageSocket extends EventTarget {
  inner: NodeSocket | undefined
  constructor(_url: string, protocols: string[]) {
    super()
    void port.then(at => {
      const inner = (this.inner = new NodeSocket(`ws://127.0.0.1:${at}`, protocols))
      inner.on('open', () => this.dispatchEvent(new Event('open')))
      inner.on('close', code => this.dispatchEvent(Object.assign(new Event('close'), { code })))
      inner.on('message', data => (this.dispatchEvent(new MessageEvent('message', { data: String(data) })), hear()))
    })
  }
  close() {
    this.inner?.close()
  }
}
const WebSocket = PageSocket as unknown as typeof globalThis.WebSocket

// check the-backend
await new Promise(resolve => backend.once('listening', resolve))
const bound = backend.address()
const at = typeof bound === 'object' ? (bound?.port ?? 0) : 0
listens(at)
await news
let refuse = () => {}
const refused = new Promise<number>(resolve => {
  const stranger = new NodeSocket(`ws://127.0.0.1:${at}`, ['live', 'x.y.z'])
  stranger.on('close', code => resolve(code))
})
const code = await refused
code // → 4001
await app.signOut()
// → waiting
live.close()
// → closed
server.close()
backend.close()
backend.closeAllConnections()
app.dispose()

// set-up server-sent-events
import { createServer } from 'node:http'
import { tokenVerifier } from 'rxauth/server'

serve()
const verify = tokenVerifier()
const tokens = new Set<string>()
const backend = createServer(async (request, response) => {
  const { refusal } = await verify.request(request)
  // The first token is refused, to see the second one.
  const isFirst = tokens.size === 0
  tokens.add(request.headers.authorization ?? '')
  if (refusal || isFirst) {
    response.writeHead(401).end()
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write('data: buy tea\n\n')
})
await new Promise<void>(resolve => backend.listen(0, '127.0.0.1', resolve))
const bound = backend.address()
const location = new URL(typeof bound === 'object' ? `http://127.0.0.1:${bound?.port}` : '')

// check server-sent-events
while (live.status$.value !== 'open' || tokens.size < 2) await new Promise(resolve => setTimeout(resolve, 5))
await new Promise(resolve => setTimeout(resolve, 20))
// → buy tea
tokens.size // → 2
live.status$.value // → open
live.close()
backend.close()
backend.closeAllConnections()
app.dispose()

// set-up socket-io
await new Promise(resolve => (backend.listening ? resolve(0) : backend.once('listening', resolve)))
const bound = backend.address()
const location = new URL(typeof bound === 'object' ? `http://127.0.0.1:${bound?.port}` : '')
const tokens: unknown[] = []
server.use((socket, next) => {
  tokens.push(socket.handshake.auth['token'])
  // The first token is refused, to see the second one.
  next(tokens.length === 1 ? Object.assign(new Error('refused'), { data: { code: 401 } }) : undefined)
})
const news = new Promise<void>(resolve => {
  server.on('connection', socket => (socket.emit('news', 'buy tea'), setTimeout(resolve, 50)))
})

// check socket-io
await news
// → buy tea
new Set(tokens).size // → 2
live.close()
await server.close()
app.dispose()
