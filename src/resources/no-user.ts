/** What the platform answers about the signed-in user where it knows no user of the session. */
export const noUser = 'CANNOT_GET_OWN_USER_WITHOUT_USER'
