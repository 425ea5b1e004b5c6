import { describe, expect, it } from 'vitest'
import { de } from '../../words/de/audit.ts'
import { en } from '../../words/en/audit.ts'
import { type AuditEntry, actorName, type Known, targetName, whatWasDone } from './audit-names.ts'

const known: Known = {
  people: [
    { id: '1', displayName: 'Ada Lovelace', email: 'ada@people.example' },
    { id: '2', displayName: '', email: 'grace@people.example' },
  ],
  rooms: [{ id: 'r-1', name: 'Kitchen' }],
}

function entry(kind: string, id: string, more: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: '7',
    at: '2026-03-23T09:00:00Z',
    actor: { kind: 'user', id: '1', email: 'ada@people.example', address: '127.0.0.1' },
    action: 'room.created',
    target: { kind, id },
    requestId: 'r',
    detail: {},
    ...more,
  }
}

describe('an entry of the audit trail', () => {
  it.each([
    ['somebody who is here', entry('user', '1'), 'Ada Lovelace', 'Ada Lovelace'],
    ['somebody without a name', entry('user', '2'), 'grace@people.example', 'grace@people.example'],
    [
      'somebody who has left',
      entry('user', '9', { detail: { email: 'alan@people.example' } }),
      'alan@people.example',
      'alan@people.example',
    ],
    [
      'somebody who is not known any more',
      entry('user', '9'),
      'Somebody who is no longer here',
      'Jemand, der nicht mehr hier ist',
    ],
    [
      'oneself, who has left',
      entry('user', '9', { actor: { kind: 'user', id: '9', email: 'alan@people.example', address: '::1' } }),
      'alan@people.example',
      'alan@people.example',
    ],
    ['a room', entry('room', 'r-1', { detail: { name: 'Formerly' } }), 'Kitchen', 'Kitchen'],
    ['a room that is gone', entry('room', 'r-2', { detail: { name: 'Formerly' } }), 'Formerly', 'Formerly'],
    [
      'a recording',
      entry('recording', '5', { detail: { roomId: 'r-1' } }),
      'Recording of Kitchen',
      'Aufzeichnung von Kitchen',
    ],
    ['a recording of a room that is gone', entry('recording', '5'), 'A recording', 'Eine Aufzeichnung'],
    ['an address', entry('email', 'alan@people.example'), 'alan@people.example', 'alan@people.example'],
    [
      'a webhook',
      entry('webhook', '3', { detail: { host: 'hooks.example' } }),
      'hooks.example',
      'hooks.example',
    ],
    ['what has no words yet', entry('whiteboard', '3'), 'whiteboard', 'whiteboard'],
  ])('names %s', (_, one, english, german) => {
    expect(targetName(one, known, en)).toBe(english)
    expect(targetName(one, known, de)).toBe(german)
  })

  it('names who did it, as long as they are here', () => {
    expect(actorName(entry('room', 'r-1'), known)).toBe('Ada Lovelace')
    expect(actorName(entry('room', 'r-1'), { people: [], rooms: [] })).toBe('ada@people.example')
    const operator = entry('room', 'r-1', { actor: { kind: 'operator', address: '' } })
    expect(actorName(operator, known)).toBeUndefined()
  })

  it('says what was done, and from what to what', () => {
    const changed = entry('user', '2', {
      action: 'member.role-changed',
      detail: { from: 'member', to: 'admin' },
    })
    expect(whatWasDone(changed, en)).toBe('Role changed: member → administrator')
    expect(whatWasDone(changed, de)).toBe('Rolle geändert: Mitglied → Administrator/in')
    const unheardOf = entry('room', 'r-1', { action: 'whiteboard.wiped' as AuditEntry['action'] })
    expect(whatWasDone(unheardOf, en)).toBe('whiteboard.wiped')
  })
})
