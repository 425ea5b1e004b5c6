import type { SessionUser } from '@atrium/contract'
import { avatarUrlOf } from '../../directory/image-urls.ts'
import type { UserRecord } from '../../directory/users.ts'

/** A person as the finalizers of a sign-in show them. */
export function toSessionUser(user: UserRecord, imageBaseUrl: string): SessionUser {
  return {
    id: user.id,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    avatarURL: avatarUrlOf(user.avatarKey, imageBaseUrl) ?? '',
  }
}
