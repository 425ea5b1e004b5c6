import { expect, it } from 'vitest'
import { openRooms } from './rooms.ts'

const permission = {
  canSubscribe: true,
  canPublish: true,
  canPublishData: true,
  canUpdateMetadata: false,
  hidden: false,
  recorder: false,
  agent: false,
}

function newcomer(identity: string, kind: string) {
  return { identity, name: '', metadata: '', attributes: {}, kind, permission }
}

it('programs take no place of a person in a room of few places, and come into a full one', () => {
  const onFault = (error: unknown) => {
    throw error
  }
  const rooms = openRooms({ clock: { now: () => new Date() }, emit: () => {}, onEnding: () => {}, onFault })
  const places = { maxParticipants: 1, emptyTimeoutSeconds: 60, departureTimeoutSeconds: 60 }
  const room = rooms.create({ name: 'few', metadata: '', ...places })
  rooms.join(room, newcomer('agent-1', 'AGENT'))
  rooms.join(room, newcomer('1', 'STANDARD'))
  rooms.join(room, newcomer('EG_1', 'EGRESS'))
  expect(() => rooms.join(room, newcomer('2', 'STANDARD'))).toThrow('room is full')
  expect([...room.participants.keys()]).toEqual(['agent-1', '1', 'EG_1'])
  rooms.crash()
})
