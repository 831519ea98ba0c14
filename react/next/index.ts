// rxauth/next: users, guards, proxy and provider of an app of Next.js.
export { nextApp, type NextApp } from './next-app'
export type { AuthStateProps } from './auth-state'
export type { Guards, PageNeed } from './guards'
export type { PathNeed, PathNeeds, PathParams } from './needs'
export type { NextOptions, NextProviderProps } from './options'
export type { ProxyRequest, ProxyResponse } from './proxy'
