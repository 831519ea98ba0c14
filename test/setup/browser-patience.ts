// Jest takes both only from code. The time is longer than a single action of a page may take, which then says what hangs.
jest.setTimeout(600_000)
// A machine that stands still for a moment fails no run: the failure is printed, and the end of the run names the test.
jest.retryTimes(1, { logErrorsBeforeRetry: true })
