const IDENTITY = /^guest:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/

/** Who a guest is inside a room. Never a user id, and never chosen by the guest. */
export function identityOfGuest(id: string): string {
  return `guest:${id}`
}

/** The id of a guest; undefined where the identity is not exactly one that we gave. */
export function parseGuestIdentity(identity: string): string | undefined {
  return IDENTITY.exec(identity)?.[1]
}
