import type { InputOf, Operation, ReplyOf } from './operation.ts'
import { organizationOperations } from './organizations.ts'
import { signInOperations } from './sign-in.ts'
import { uploadOperations } from './uploads.ts'
import { userOperations } from './user.ts'

/** The whole table: every operation of the product by its id. */
export const operations = {
  ...signInOperations,
  ...userOperations,
  ...organizationOperations,
  ...uploadOperations,
} as const

export type Operations = typeof operations
export type OperationId = keyof Operations

/** What the handler of an operation is given. */
export type Input<Id extends OperationId> = InputOf<Operations[Id]>
/** What the handler of an operation answers. */
export type Reply<Id extends OperationId> = ReplyOf<Operations[Id]>

/** The table as entries, for whoever goes through all of it. */
export const operationEntries = Object.entries(operations) as [OperationId, Operation][]

export { type Access, type Budget, type Operation, statusesOf } from './operation.ts'
export { type Permission, permissions, type Role, roles } from './permissions.ts'
export { ErrorReply, type SessionUser, type User } from './shapes.ts'
export { imageContentTypes } from './uploads.ts'
