export { type KeyPair, newKeyPair } from './boxes.ts'
export { createDeviceStore, type DeviceStore, type OwnDevice } from './device-store.ts'
export { createKeyWatch, type KeyWatch, publishOwnDevice } from './devices.ts'
export type { PersonInside } from './entrants.ts'
export { SEALING_TOPIC } from './messages.ts'
export { guestOffice, memberOffice, type SealingOffice } from './places.ts'
export {
  createSealedRoom,
  type SealedRoom,
  type SealedRoomOptions,
  type SealedRoomState,
} from './sealed-room.ts'
export type { Entrant } from './words.ts'
