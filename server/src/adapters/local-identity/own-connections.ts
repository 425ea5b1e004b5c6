import type { ConnectionsPort } from '../../ports/connections.ts'
import { findDraft, keepPassedTest, readDraft, removeDraft, saveDraft } from './connection-drafts.ts'
import {
  findConnection,
  keepSignOutThere,
  newRedirectName,
  readConnection,
  removeConnection,
  saveConnection,
} from './connection-store.ts'
import { type ConnectionTestsNeeds, connectionTests } from './connection-tests.ts'

/** Connections that organizations set up themselves: the same that an operator makes, after a draft and a test. */
export function ownConnections(needs: ConnectionTestsNeeds): ConnectionsPort {
  const { connectionRing: ring } = needs
  return {
    async find(db, organization) {
      const [inForce, draft] = [await readConnection(db, organization), await readDraft(db, organization)]
      return { inForce: inForce ?? null, draft: draft ?? null }
    },
    async saveDraft(tx, organization, { issuer, clientId, clientSecret, trustsEmail }, now) {
      const known = [
        await findDraft(tx, ring, organization).catch(unopened(clientSecret)),
        await findConnection(tx, ring, organization).catch(unopened(clientSecret)),
      ].filter((one) => one !== undefined)
      // a secret that is known goes nowhere but to the issuer that it was given for
      const same = known.find((one) => one.issuer === issuer && one.clientId === clientId)
      const secret = clientSecret ?? same?.clientSecret
      if (secret === undefined) return false
      const before = [await readConnection(tx, organization), await readDraft(tx, organization)]
      // what an issuer was told stays so, and is its own
      const redirectName = before.find((one) => one?.issuer === issuer)?.redirectName ?? newRedirectName()
      const draft = { organization, issuer, clientId, clientSecret: secret, trustsEmail, redirectName }
      await saveDraft(tx, ring, draft, now)
      return true
    },
    async keepTest(tx, organization, { revision, ...test }, now) {
      if (revision !== null) return await keepPassedTest(tx, organization, { revision, ...test }, now)
      await keepSignOutThere(tx, organization, test)
      return true
    },
    async activate(tx, organization, now) {
      const draft = await findDraft(tx, ring, organization)
      if (!draft) return false
      await saveConnection(tx, ring, { ...draft, organization }, now)
      await removeDraft(tx, organization)
      return true
    },
    async deactivate(tx, organization, now) {
      const connection = await findConnection(tx, ring, organization)
      if (!connection) return false
      await saveDraft(tx, ring, { ...connection, organization }, now)
      await removeConnection(tx, organization)
      return true
    },
    async remove(tx, organization) {
      const draft = await removeDraft(tx, organization)
      return { inForce: await removeConnection(tx, organization), draft }
    },
    ...connectionTests(needs),
  }
}

/** Where a new secret is given, it does not matter that the former one cannot be opened. */
function unopened(newSecret: string | undefined): (error: unknown) => undefined {
  return (error) => {
    if (newSecret === undefined) throw error
    return undefined
  }
}
