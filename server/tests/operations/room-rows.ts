import type { OperationId } from '@atrium/contract'
import { enterRoom } from '../chapters/rooms.ts'
import { admittedWithKey, keepKey, newBox, publishedDevice, sealed } from '../chapters/sealed-rooms.ts'
import { type OperationRow, reads } from './operation-row.ts'

const recorded = { conferenceTopic: 'Weekly', zoneId: 'zone-1', participants: 'Ada,Bob' }
const inviters = ['member', 'moderator', 'admin'] as const

/** Of rooms, their guests and recordings. */
export const roomRows = {
  authorizeRoom: {
    input: async (stage) => ({ username: 'Somebody', roomId: (await stage.room()).id }),
    visible: false,
    audit: { none: 'who is in a room is told by the media server' },
  },
  listRooms: { visible: false, audit: reads },
  getRoom: { input: async (stage) => ({ roomId: (await stage.room()).id }), visible: false, audit: reads },
  updateRoom: {
    input: async (stage) => {
      const { id, name } = await stage.room()
      return { roomId: id, name: `${name}, renamed` }
    },
    roles: ['moderator', 'admin'],
    visible: true,
    audit: 'room.updated',
  },
  lockRoom: {
    async input(stage, actor) {
      const { id } = await stage.room()
      await enterRoom(stage.office, actor, id)
      return { roomId: id, locked: true }
    },
    visible: true,
    audit: { none: 'it ends with the last one inside' },
  },
  setActivity: {
    async input(stage, actor) {
      const { id } = await stage.room()
      await enterRoom(stage.office, actor, id)
      return { roomId: id, sound: 'muted', speaking: false, hand: true }
    },
    visible: true,
    audit: { none: 'it is a hint of seconds' },
  },
  muteInRoom: {
    async input(stage) {
      const { id } = await stage.room()
      await enterRoom(stage.office, stage.guest, id)
      return { roomId: id, userId: stage.guest.id }
    },
    roles: ['moderator', 'admin'],
    visible: true,
    audit: { none: 'they unmute themselves when they like' },
  },
  removeFromRoom: {
    async input(stage) {
      const { id } = await stage.room()
      await enterRoom(stage.office, stage.guest, id)
      return { roomId: id, userId: stage.guest.id }
    },
    roles: ['moderator', 'admin'],
    visible: true,
    audit: 'room.person-removed',
  },
  dispatchAgent: {
    async input(stage, actor) {
      const { id } = await stage.room()
      await enterRoom(stage.office, actor, id)
      return { roomId: id, botId: await stage.bot() }
    },
    visible: true,
    audit: { none: 'who comes in by it is told by the media server' },
  },
  removeAgent: {
    async input(stage) {
      const { id: roomId } = await stage.room()
      const botId = await stage.bot()
      await stage.founder.browser.call('dispatchAgent', { roomId, botId })
      return { roomId, botId }
    },
    roles: ['moderator', 'admin'],
    visible: true,
    audit: 'room.agent-removed',
  },
  lowerHands: {
    input: async (stage) => ({ roomId: (await stage.room()).id }),
    roles: ['moderator', 'admin'],
    visible: true,
    audit: { none: 'hands go up again' },
  },
  openDesk: { visible: true, audit: { none: 'it is a place of their own' } },
  knockAtRoom: {
    input: async (stage) => ({ roomId: (await stage.room()).id }),
    visible: true,
    audit: { none: 'it is over after half a minute' },
  },
  deleteRoom: {
    input: async (stage) => ({ roomId: (await stage.room()).id }),
    roles: ['moderator', 'admin'],
    visible: true,
    audit: 'room.deleted',
  },
  inviteGuest: {
    input: async (stage) => ({
      orgId: stage.founder.organizationId,
      roomId: (await stage.room()).id,
      durationSeconds: 3_600,
    }),
    roles: inviters,
    visible: true,
    audit: 'guest.invited',
  },
  authorizeGuest: {
    caller: 'visitor',
    input: async (stage) => ({
      inviteToken: await stage.guestToken((await stage.room()).id),
      guestName: 'Gast',
    }),
    visible: true,
    audit: { none: 'whoever only asks is nobody yet: the decision is written down' },
    capability: { inviteToken: ['guest token'] },
  },
  sendGuestMessage: {
    caller: 'visitor',
    input: async (stage) => ({ inviteId: await stage.guestInRoom(), content: 'Hello' }),
    visible: true,
    audit: { none: 'messages are in the conversation' },
  },
  listGuestMessages: {
    caller: 'visitor',
    input: async (stage) => ({ inviteId: await stage.guestInRoom() }),
    visible: false,
    audit: reads,
  },
  sendRoomKey: {
    async input(stage, actor) {
      const roomId = await sealed(stage.founder, await stage.room())
      await enterRoom(stage.office, actor, roomId)
      return { roomId, epoch: 1, boxes: [{ deviceId: await publishedDevice(actor), box: newBox() }] }
    },
    visible: true,
    audit: { none: 'a key lives as long as the people inside are together' },
  },
  fetchRoomKey: {
    async input(stage, actor) {
      const roomId = await sealed(stage.founder, await stage.room())
      const deviceId = await publishedDevice(actor)
      await keepKey(stage.office, roomId, { device: deviceId })
      return { roomId, deviceId }
    },
    visible: false,
    audit: reads,
  },
  fetchGuestRoomKey: {
    caller: 'visitor',
    async input(stage) {
      const roomId = await sealed(stage.founder, await stage.room())
      const { inviteId, guestIdentity } = await admittedWithKey(stage.founder, roomId, stage.visitor)
      await keepKey(stage.office, roomId, { guestIdentity })
      return { inviteId }
    },
    visible: false,
    audit: reads,
  },
  setGuestActivity: {
    caller: 'visitor',
    input: async (stage) => ({
      ...{ inviteId: await stage.guestInRoom('inside'), sound: 'off', speaking: false, hand: true },
    }),
    visible: true,
    audit: { none: 'it is a hint of seconds' },
  },
  admitGuest: {
    input: async (stage) => ({ ...(await stage.waitingGuest()), action: 'admit' }),
    roles: ['admin'],
    visible: true,
    audit: 'guest.admitted',
  },
  removeGuest: {
    input: (stage) => stage.admittedGuest(),
    roles: ['admin'],
    visible: true,
    audit: 'guest.removed',
  },
  listGuestInvites: { roles: inviters, visible: false, audit: reads },
  revokeGuestInvite: {
    input: async (stage) => ({ inviteId: await stage.guestInvite() }),
    roles: ['admin'],
    ownOnly: ['member', 'moderator'],
    visible: true,
    audit: 'guest-invite.revoked',
  },
  previewGuestInvite: {
    caller: 'visitor',
    input: async (stage) => ({ inviteToken: await stage.guestToken((await stage.room()).id) }),
    visible: false,
    audit: reads,
    capability: { inviteToken: ['guest token'] },
  },
  listGuests: {
    input: async (stage) => ({ roomId: (await stage.waitingGuest()).roomId }),
    roles: ['admin'],
    visible: false,
    audit: reads,
  },
  listWaitingGuests: { roles: ['admin'], visible: false, audit: reads },
  startRecording: {
    input: async (stage) => ({ roomName: (await stage.room()).id, ...recorded }),
    roles: inviters,
    visible: true,
    audit: 'recording.started',
  },
  stopRecording: {
    async input(stage) {
      const { roomId, egressId } = await stage.recording()
      return { roomName: roomId, egressId, zoneId: '' }
    },
    roles: inviters,
    visible: true,
    audit: 'recording.stopped',
  },
  listRecordings: { roles: inviters, visible: false, audit: reads },
  getRecording: {
    input: async (stage) => ({ recordingId: (await stage.film()).id }),
    roles: inviters,
    visible: false,
    audit: reads,
  },
  updateRecording: {
    input: async (stage) => ({ recordingId: (await stage.film()).id, name: 'Weekly of May' }),
    roles: inviters,
    visible: true,
    audit: 'recording.named',
  },
  shareRecording: {
    input: async (stage) => ({ recordingId: (await stage.film()).id, days: 7 }),
    roles: inviters,
    visible: true,
    audit: 'recording.shared',
  },
  downloadRecording: {
    input: async (stage) => ({ recordingId: (await stage.film()).id }),
    roles: inviters,
    visible: true,
    audit: 'recording.downloaded',
  },
  readTranscript: {
    input: async (stage) => ({ recordingId: (await stage.spokenFilm()).id }),
    roles: inviters,
    visible: true,
    audit: 'recording.transcript-read',
  },
  holdRecording: {
    input: async (stage) => ({ recordingId: (await stage.film()).id, hold: true, reason: 'A dispute' }),
    roles: ['admin'],
    visible: true,
    audit: 'recording.held',
  },
  deleteRecording: {
    input: async (stage) => ({ recordingId: (await stage.film()).id }),
    roles: ['moderator', 'admin'],
    ownOnly: ['member'],
    visible: true,
    audit: 'recording.deleted',
  },
} satisfies Partial<Record<OperationId, OperationRow>>
