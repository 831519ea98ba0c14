// What a server kit can do. rxauth/server exports every name; a server app has each function with its kit bound to it.
export * from './server/connected-accounts'
export * from './server/contact-channels'
export * from './server/sessions'
export * from './server/teams'
export * from './server/users'
