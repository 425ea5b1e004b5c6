import { expect, it } from 'vitest'
import { auditActions, operations } from './index.ts'

it('lists every action once, named by what it was done to and what was done', () => {
  expect(new Set(auditActions).size).toBe(auditActions.length)
  for (const action of auditActions) expect(action).toMatch(/^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/)
})

it('is what the document says of the audit trail', () => {
  const page = operations.listAuditLog.replies[200]
  expect(page.properties.data.items.properties.action).toMatchObject({ enum: auditActions })
})
