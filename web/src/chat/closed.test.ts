import type { ConversationRow } from '@atrium/client/chat'
import { describe, expect, it } from 'vitest'
import { closedBy } from './closed.tsx'

const row = (more: object) =>
  ({ type: 'DM', room_id: null, members: [], ...more }) as unknown as ConversationRow
const member = (is_active: boolean) => ({ user_id: 42, display_name: 'Ada', avatar_url: null, is_active })
const rooms = { rooms: [{ id: 'r' }], loaded: true }

describe('a conversation takes nothing more', () => {
  it.each([
    ['with a colleague who is gone', row({ members: [member(false)] }), 'person'],
    ['with one who is there', row({ members: [member(true)] }), undefined],
    ['of a deleted room', row({ type: 'ROOM', room_id: 'gone' }), 'room'],
    ['of a room that is there', row({ type: 'ROOM', room_id: 'r' }), undefined],
    ['of a group that one has left', row({ type: 'GROUP', members: [member(false)] }), undefined],
    ['that the list does not show', undefined, undefined],
  ])('%s', (_, shown, by) => {
    expect(closedBy(shown, rooms)).toBe(by)
  })

  it('of no room before the rooms are read', () => {
    expect(closedBy(row({ type: 'ROOM', room_id: 'r' }), { rooms: [], loaded: false })).toBeUndefined()
  })
})
