import { ConnectionState, type Room, RoomEvent, Track } from 'livekit-client'
import { stateOf } from './call-snapshot.ts'
import type { Calling } from './calling.ts'
import { hear, unhear } from './hearing.ts'

const CHANGES = [
  ...[RoomEvent.ParticipantConnected, RoomEvent.ParticipantDisconnected, RoomEvent.ParticipantNameChanged],
  ...[RoomEvent.TrackSubscribed, RoomEvent.TrackUnsubscribed, RoomEvent.TrackMuted, RoomEvent.TrackUnmuted],
  ...[RoomEvent.LocalTrackPublished, RoomEvent.LocalTrackUnpublished, RoomEvent.ActiveSpeakersChanged],
  ...[RoomEvent.ConnectionQualityChanged, RoomEvent.ConnectionStateChanged],
  ...[RoomEvent.RecordingStatusChanged, RoomEvent.AudioPlaybackStatusChanged],
  RoomEvent.ParticipantAttributesChanged,
] as const

/** Keeps the state of the call to what a connection tells, and plays what is heard there. */
export function followRoom(call: Calling, next: Room): void {
  const { own, signals, store } = call
  const look = () => {
    if (call.room !== next) return
    call.sealed?.look(next)
    store.update((state) => stateOf(next, state))
    own.lookForBots()
  }
  for (const event of CHANGES) next.on(event, look)
  signals.follow(next)
  next
    .on(RoomEvent.RecordingStatusChanged, (isOn) => {
      if (call.room === next) own.recordingChanged(next, isOn)
    })
    .on(RoomEvent.TrackSubscribed, hear)
    .on(RoomEvent.TrackMuted, ({ source }, { isLocal }) => {
      // by a moderator too
      if (isLocal && source === Track.Source.Microphone) own.microphoneMuted()
    })
    .on(RoomEvent.LocalTrackUnpublished, ({ source }) => {
      // with the connection every track goes
      if (source === Track.Source.ScreenShare && next.state === ConnectionState.Connected) own.screenTaken()
    })
    .on(RoomEvent.TrackUnsubscribed, unhear)
    .on(RoomEvent.ParticipantPermissionsChanged, (_, participant) => {
      look()
      if (!participant.isLocal) return
      call.entrance.onPermissions?.()
      signals.entered()
      void publishWanted(call, next)
    })
}

/** Nothing of a sealed room is sent before there is a key. */
export async function publishWanted(call: Calling, of: Room): Promise<void> {
  if (of.localParticipant.permissions?.canPublish === false) return
  await call.sealed?.hasKey()
  if (call.room === of) await call.own.publishWanted(of)
}
