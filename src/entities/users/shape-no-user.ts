/** The platform's answer about the signed-in user if it knows no user of the session. */
export const noUser = 'CANNOT_GET_OWN_USER_WITHOUT_USER'
