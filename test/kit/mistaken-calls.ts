export const local = { baseUrl: 'http://localhost:8102' }

export const invalid = (field: string): Error =>
  expect.objectContaining({ code: 'INVALID_INPUT', details: { field, reason: expect.any(String) } }) as Error
