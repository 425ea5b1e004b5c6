import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { fits } from '../schema.ts'
import { UnusablePayload } from './work-failure.ts'
import type { Work, WorkQueue } from './work-queue.ts'

/** A queue that says what its items carry. */
export interface DeclaredQueue<Schema extends TSchema> extends Omit<WorkQueue, 'handle'> {
  /**
   * What producers enqueue: triggers too, and nodes of the release before and after. Further fields are let through.
   */
  payload: Schema
  handle(work: Work<Static<Schema>>): ReturnType<WorkQueue['handle']>
}

/** Declares a queue. An item that does not carry what the queue takes is given up at once, with what is wrong with it. */
export function workQueue<const Schema extends TSchema>({
  payload: schema,
  handle,
  ...queue
}: DeclaredQueue<Schema>): WorkQueue {
  return {
    ...queue,
    async handle(work) {
      return await handle({ ...work, payload: readPayload(schema, work.payload) })
    },
  }
}

/** @throws UnusablePayload which names the field, and never what it holds */
function readPayload<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  if (fits(schema, value)) return value
  const [first] = Value.Errors(schema, value)
  const at = first?.instancePath ? ` at ${first.instancePath}` : ''
  throw new UnusablePayload(`${first?.message ?? 'is of another form'}${at}`)
}
