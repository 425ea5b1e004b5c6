import type { OperationId, Reply } from '@atrium/contract'

/**
 * A reply whose body is JSON already, as the database has written it: it goes out as it is, where to read it and to write
 * it again would cost more than all the rest of the request. Nothing takes fields away that the contract does not
 * declare; tests refuse such a reply (`checkReplies`).
 */
export interface WrittenReply<Id extends OperationId> {
  status: Reply<Id>['status']
  body: Buffer
}
