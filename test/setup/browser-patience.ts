// Jest takes both only from code. The time is longer than a single action of a page may take, which then says what hangs.
jest.setTimeout(600_000)
// The second attempt shows whether a test fails by chance. The run fails all the same: counts.mjs.
jest.retryTimes(1, { logErrorsBeforeRetry: true })
