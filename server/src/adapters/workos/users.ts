import type { WorkOS } from '@workos-inc/node'
import type { IdentityUserId } from '../../platform/ids.ts'
import type { IdentityPort } from '../../ports/identity.ts'
import { requireUserId } from './answers.ts'
import { ask, errorsOf, malformed, orGone } from './failures.ts'
import { isTaken } from './memberships.ts'

/** Users at WorkOS: one for an address. */
export function workosUsers({
  userManagement: users,
}: WorkOS): Pick<IdentityPort, 'createUser' | 'changeEmail' | 'deleteUser'> {
  const findUser = async (email: string): Promise<IdentityUserId | undefined> => {
    const found = await ask('listUsers', () => users.listUsers({ email, limit: 1 }))
    const [user] = found.data
    return user && requireUserId(user.id)
  }
  return {
    async createUser({ email, knownAs }) {
      try {
        const made = await ask('createUser', () => users.createUser({ email }), isEmailTaken)
        return requireUserId(made.id)
      } catch (error) {
        if (!isEmailTaken(error)) throw error
        const theirs = knownAs ?? (await findUser(email))
        if (theirs) return theirs
        throw malformed('user')
      }
    },
    async changeEmail({ user, email }) {
      try {
        const change = { userId: user, email, emailVerified: true }
        await ask('updateUser', () => users.updateUser(change), isEmailTaken)
        return true
      } catch (error) {
        if (isEmailTaken(error)) return false
        throw error
      }
    },
    async deleteUser({ user }) {
      await orGone('deleteUser', () => users.deleteUser(user))
    },
  }
}

/** It has a user under the address already. */
function isEmailTaken(error: unknown): boolean {
  return isTaken(error) || errorsOf(error).includes('email_not_available')
}
