import { type Participant, type Room, RoomEvent } from 'livekit-client'
import type { CallState, CaptionLine } from '../call-state.ts'

/** As the media server names it. */
const ATTRIBUTE = 'captions'
const SHOWN_MS = 12_000
const LINES_MAX = 3

/** Captions of a room, over one connection after the other. */
export interface Captions {
  follow(room: Room): void
  /** To be called once the connection stands: asks again for what was asked for before. Never rejects. */
  entered(): Promise<void>
  /** Never rejects: where the media server refuses, nothing changes. */
  read(on: boolean): Promise<void>
  close(): void
}

/** Whether a participant reads captions; undefined: they cannot ask for them. */
export function captionsOf({ attributes }: Participant): CallState['captions'] {
  const said = attributes[ATTRIBUTE]
  return said === 'on' || said === 'off' ? said : undefined
}

/** @param changed told of the lines that are to be shown */
export function createCaptions(changed: (lines: readonly CaptionLine[]) => void): Captions {
  let room: Room | undefined
  let isWanted = false
  let lines: readonly CaptionLine[] = []
  const show = (next: readonly CaptionLine[]) => {
    lines = next
    changed(lines)
  }
  const ask = async () => {
    const me = room?.localParticipant
    const said = me && captionsOf(me)
    const wanted = isWanted ? 'on' : 'off'
    if (me && said !== undefined && said !== wanted)
      await me.setAttributes({ [ATTRIBUTE]: wanted }).catch(() => {})
  }
  return {
    follow(next) {
      room = next
      next.on(RoomEvent.TranscriptionReceived, (segments, of) => {
        if (room !== next || !of || !isWanted) return
        const { identity, name } = of
        for (const { id, text } of segments) {
          const line = { id, identity, name: name || identity, text }
          show([...lines.filter((one) => one.id !== id), line].slice(-LINES_MAX))
          setTimeout(() => lines.includes(line) && show(lines.filter((one) => one !== line)), SHOWN_MS)
        }
      })
    },
    entered: ask,
    async read(on) {
      isWanted = on
      if (!on) show([])
      await ask()
    },
    close() {
      room = undefined
      isWanted = false
      lines = []
    },
  }
}
