export { proxy } from './auth'

export const config = { matcher: ['/', '/((?!_next/).*)'] }
