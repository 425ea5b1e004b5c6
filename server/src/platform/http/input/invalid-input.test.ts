import type { FastifySchemaValidationError } from 'fastify'
import Type from 'typebox'
import { expect, it } from 'vitest'
import { processorTime } from '../../../../tests/run/timed.ts'
import type { Refusal } from '../../refusal.ts'
import { refusalOfInput } from './invalid-input.ts'

it('costs little where a list is long and every entry of it is wrong', () => {
  const body = Type.Object({ emails: Type.Array(Type.String({ format: 'email' }), { maxItems: 100 }) })
  const fault = (index: number): FastifySchemaValidationError => ({
    keyword: 'format',
    instancePath: `/emails/${index}`,
    schemaPath: '#/properties/emails/items/format',
    params: { format: 'email' },
  })
  const faults = Array.from({ length: 50_000 }, (_, index) => fault(index))
  let refusal: Refusal | undefined
  const took = processorTime(() => {
    refusal = refusalOfInput({ body }, faults, 'body')
  })
  expect(took).toBeLessThan(500)
  expect(refusal?.details).toHaveLength(20)
  expect(refusal?.details?.[0]).toEqual({
    field: 'emails.0',
    message: 'Enter an e-mail address, such as ada@example.com',
  })
})
