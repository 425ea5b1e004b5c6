import type { LocalTrack, Room } from 'livekit-client'

const closers = new WeakMap<Room, () => void>()

/**
 * Closes what a room opens of cameras, microphones and screens together with it. The library itself closes what is
 * published by then: a track whose publication is under way when the connection ends would stay open, with its light on.
 */
export function holdOpenedTracks(room: Room): void {
  const { localParticipant: me } = room
  const opened = new Set<LocalTrack>()
  let isClosed = false
  const hold = (tracks: LocalTrack[]) => {
    for (const track of tracks) {
      opened.add(track)
      if (isClosed) track.stop()
    }
    return tracks
  }
  const [create, createScreen] = [me.createTracks.bind(me), me.createScreenTracks.bind(me)]
  me.createTracks = async (options) => hold(await create(options))
  me.createScreenTracks = async (options) =>
    hold(await createScreen(options)) as Awaited<ReturnType<typeof createScreen>>
  closers.set(room, () => {
    isClosed = true
    for (const track of opened) track.stop()
    opened.clear()
  })
}

/** What is opened later is closed at once. */
export function closeOpenedTracks(room: Room): void {
  closers.get(room)?.()
}
