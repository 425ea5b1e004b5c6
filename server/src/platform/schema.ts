import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'

/**
 * Schemas of what the office gives to itself and reads again later: payloads of work, claims of tokens. Shapes of the
 * wire are the contract's.
 */
export { type Static, Type }

/** Whether a value is of a schema. Fields that the schema does not name are let through. */
export function fits<Schema extends TSchema>(schema: Schema, value: unknown): value is Static<Schema> {
  return Value.Check(schema, value)
}
