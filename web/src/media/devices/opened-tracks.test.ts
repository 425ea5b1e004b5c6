import type { LocalTrack, Room } from 'livekit-client'
import { expect, it, vi } from 'vitest'
import { closeOpenedTracks, holdOpenedTracks } from './opened-tracks.ts'

function roomThatOpens() {
  const track = { stop: vi.fn() }
  let give = (_: LocalTrack[]) => {}
  const localParticipant = {
    createTracks: () => new Promise<LocalTrack[]>((resolve) => (give = resolve)),
    createScreenTracks: async () => [track as unknown as LocalTrack],
  }
  const room = { localParticipant } as unknown as Room
  return { room, track, give: () => give([track as unknown as LocalTrack]) }
}

it('closes with the room what was opened and is not published yet', async () => {
  const { room, track, give } = roomThatOpens()
  holdOpenedTracks(room)
  const opening = room.localParticipant.createTracks()
  give()
  await opening
  expect(track.stop).not.toHaveBeenCalled()
  closeOpenedTracks(room)
  expect(track.stop).toHaveBeenCalledOnce()
})

it('closes at once what is opened after the end, a device that answers late or a screen', async () => {
  const { room, track, give } = roomThatOpens()
  holdOpenedTracks(room)
  const opening = room.localParticipant.createTracks()
  closeOpenedTracks(room)
  give()
  await opening
  expect(track.stop).toHaveBeenCalledOnce()
  await room.localParticipant.createScreenTracks()
  expect(track.stop).toHaveBeenCalledTimes(2)
})
