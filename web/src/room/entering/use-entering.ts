import { AtriumError } from '@atrium/client'
import type { Room } from '@atrium/client/rooms'
import { useEffect, useRef, useState } from 'react'
import { client } from '../../live/office-client.ts'
import { type Action, useAction } from '../../live/use-action.ts'
import type { Call, JoinWith } from '../../media/call-state.ts'
import { justLeft } from '../../media/just-left.ts'
import { CannotSeal } from '../../media/sealing/can-seal.ts'
import { joinAsLastTime } from './before-entering.ts'

/** `deciding`: whether there is something to decide. `at-once`: under way, with nothing to decide. `inside-elsewhere`: they are asked whether to take over. */
export type EnteringStep = 'deciding' | 'at-once' | 'devices' | 'inside-elsewhere' | 'locked' | 'cannot-seal'

export interface Entering {
  step: EnteringStep
  join: Pick<Action<[JoinWith]>, 'busy' | 'problem'>
  enter(choices: JoinWith): void
  /** From the other device. */
  takeOver(): void
  /** They would rather look at their devices first. */
  cancel(): void
  /** A member has opened the door. */
  letIn(): void
}

/** The way into a room: at once with the devices of last time, unless there is something to decide. */
export function useEntering(
  call: Call,
  room: Room | undefined,
  asks: { ownId: string; forDevices: boolean },
): Entering {
  const [step, setStep] = useState<EnteringStep>(asks.forDevices ? 'devices' : 'deciding')
  const given = useRef<JoinWith>(undefined)
  const hasDecided = useRef(false)
  const join = useAction(async (choices: JoinWith, how: { takesOver: boolean }) => {
    given.current = choices
    if (!room) return
    if (!how.takesOver && !justLeft.was(room.id) && (await isInside(room.id, asks.ownId)))
      return setStep('inside-elsewhere')
    try {
      await call.join(choices)
    } catch (error) {
      if (error instanceof CannotSeal) return setStep('cannot-seal')
      if (!(error instanceof AtriumError)) throw error
      // another device was faster than the reload of this page
      if (error.error === 'already-inside') return setStep('inside-elsewhere')
      if (error.error !== 'room-locked') throw error
      setStep('locked')
    }
  })
  const enter = (choices: JoinWith) => void join.run(choices, { takesOver: false })
  const again = (takesOver: boolean) => {
    setStep('at-once')
    if (takesOver) justLeft.forget()
    if (given.current) void join.run(given.current, { takesOver })
  }
  const isThere = room !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as the room is known
  useEffect(() => {
    if (!room || step !== 'deciding' || call.get().phase !== 'outside' || hasDecided.current) return
    hasDecided.current = true
    void joinAsLastTime(room).then((choices) => {
      setStep(choices ? 'at-once' : 'devices')
      if (choices) enter(choices)
    })
  }, [isThere])
  return {
    // what went wrong is told where it can be tried again
    step: step === 'at-once' && join.problem !== undefined ? 'devices' : step,
    join,
    enter,
    takeOver: () => again(true),
    cancel: () => setStep('devices'),
    letIn: () => again(false),
  }
}

async function isInside(roomId: string, userId: string): Promise<boolean> {
  const { room } = await client.call('getRoom', { roomId })
  return room.people.some((person) => person.userId === userId)
}
