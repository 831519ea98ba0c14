// No test waits for the wall clock, but a loaded machine may take its time; jest takes a timeout per project only from code.
jest.setTimeout(process.env['RXAUTH_LONG'] ? 1_800_000 : 300_000)
