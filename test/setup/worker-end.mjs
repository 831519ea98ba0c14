// A worker that has nothing left to do ends without freeing its memory: of some hundred megabytes that takes longer than the half
// second after which Jest kills it.
if (process.send) process.once('beforeExit', () => process.exit())
