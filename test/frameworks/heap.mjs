// Loaded before the server of an app: at SIGUSR2 it prints the bytes of the heap after a collection.
let times = 0

process.on('SIGUSR2', () => {
  globalThis.gc()
  console.log(`heap ${++times}: ${process.memoryUsage().heapUsed}`)
})
