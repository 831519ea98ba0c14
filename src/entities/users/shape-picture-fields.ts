import * as v from 'valibot'
import { imageUrl, ownImageUrl } from '../../core/wire'

/** The picture that users give themselves, their teams and their profiles in teams. */
export const ownPicture = { profileImageUrl: v.optional(v.nullable(ownImageUrl())) }

/** The picture that servers give them. */
export const anyPicture = { profileImageUrl: v.optional(v.nullable(imageUrl())) }
