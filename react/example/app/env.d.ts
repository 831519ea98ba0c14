/** What `start.mjs` tells the page; in an app of your own, a `.env` file does. */
interface ImportMetaEnv {
  readonly VITE_PLATFORM_URL: string
  readonly VITE_PROJECT_ID: string
  readonly VITE_PUBLISHABLE_CLIENT_KEY: string
  /** Of the project `internal`, whose users own projects. */
  readonly VITE_INTERNAL_PUBLISHABLE_CLIENT_KEY: string
  /** The page with the mails of the local platform; absent with every other platform. */
  readonly VITE_MAILBOX_URL?: string
}

interface ImportMeta {
  readonly env: ImportMetaEnv
}

declare module '*.css' {}
