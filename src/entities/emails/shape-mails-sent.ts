import { topic } from '../../store/source'

/** The mails that the platform has sent. A server cannot list them; an admin can. */
export const mailsSent = topic('mails sent')
