// Bundlers, compilers and browsers start slowly on a loaded machine; jest takes a timeout per project only from code.
jest.setTimeout(60_000)
