/** Variables that `start.mjs` sets for the page; your own app sets them in an `.env` file. */
interface ImportMetaEnv {
  readonly VITE_PLATFORM_URL: string
  readonly VITE_PROJECT_ID: string
  readonly VITE_PUBLISHABLE_CLIENT_KEY: string
  /** The key of the project `internal`, whose users own projects. */
  readonly VITE_INTERNAL_PUBLISHABLE_CLIENT_KEY: string
  /** The page with the local platform's mails; absent for other platforms. */
  readonly VITE_MAILBOX_URL?: string
}

interface ImportMeta {
  readonly env: ImportMetaEnv
}

declare module '*.css' {}
