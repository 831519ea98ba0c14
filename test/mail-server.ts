/** A mail server of a project's own, without which a release of 2026 neither sends mails nor keeps templates. */
export const emailConfig = {
  type: 'standard',
  host: 'smtp.example.com',
  port: 587,
  username: 'u',
  password: 'secret',
  senderName: 'Analytical',
  senderEmail: 'hello@example.com',
} as const
