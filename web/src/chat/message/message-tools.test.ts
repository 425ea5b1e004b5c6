import { describe, expect, it } from 'vitest'
import { allowed } from './message-tools.ts'

const message = (change: object = {}) => ({ message_id: 7, is_deleted: false, sender_id: 42, ...change })
const asker = (change: object = {}) => ({
  ownId: '42',
  isModerator: false,
  type: 'GROUP' as const,
  isClosed: false,
  ...change,
})

describe('what is offered at a message', () => {
  it('changes and deletes one’s own', () => {
    expect(allowed(message(), asker())).toEqual({ isThere: true, react: true, edit: true, remove: true })
  })

  it('deletes what others wrote for moderators alone, and only where there are more than two', () => {
    const others = message({ sender_id: 43 })
    expect(allowed(others, asker())).toEqual({ isThere: true, react: true, edit: false, remove: false })
    expect(allowed(others, asker({ isModerator: true }))).toMatchObject({ edit: false, remove: true })
    expect(allowed(others, asker({ isModerator: true, type: 'ROOM' }))).toMatchObject({ remove: true })
    expect(allowed(others, asker({ isModerator: true, type: 'DM' }))).toMatchObject({ remove: false })
  })

  it('takes back what was said in a closed conversation, and nothing else', () => {
    const closed = asker({ isClosed: true })
    expect(allowed(message(), closed)).toEqual({ isThere: true, react: false, edit: false, remove: true })
  })

  it.each([
    ['not sent', { message_id: undefined }],
    ['deleted', { is_deleted: true }],
  ])('does nothing to one that is %s', (_, change) => {
    expect(allowed(message(change), asker({ isModerator: true }))).toEqual({
      isThere: false,
      react: false,
      edit: false,
      remove: false,
    })
  })
})
