import type { DirectoryPerson } from './user-store.ts'

/** The directory has said something of them, and they are no member: it has them as inactive. */
export function isHeldInactive({ provisioned, membership }: DirectoryPerson): boolean {
  return provisioned && membership === null
}
