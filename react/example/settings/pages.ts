import { AccountSettingsPage } from './account-settings-page'

/** The page for the account, by the last part of its address. */
export const accountPages = { 'account-settings': AccountSettingsPage }
