import { createServer } from 'node:net'

/** Browsers may take either for "localhost". */
const loopback = ['127.0.0.1', '::1']

/** The given port, or the next one that nothing listens on. */
export async function freePort(preferred) {
  for (let port = preferred; port < preferred + 100; port++) if (await isFree(port)) return port
  throw new Error(`no port from ${preferred} to ${preferred + 99} is free; choose one with --port`)
}

/** Whether nothing listens on this port of this machine. */
export async function isFree(port) {
  for (const host of loopback) if (!(await canListen(port, host))) return false
  return true
}

function canListen(port, host) {
  return new Promise(resolve => {
    const probe = createServer()
    // A machine without IPv6 has no ::1 that could be taken.
    probe.once('error', error => resolve(error.code !== 'EADDRINUSE'))
    probe.listen(port, host, () => probe.close(() => resolve(true)))
  })
}
