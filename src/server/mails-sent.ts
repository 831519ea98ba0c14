import { topic } from '../store/definition'

/** The platform has sent mails. A server cannot list them; an admin can. */
export const mailsSent = topic('mails sent')
