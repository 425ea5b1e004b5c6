import { randomUUID } from 'node:crypto'
import type { Input, Reply } from '@atrium/contract'
import { recordAudit } from '../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import { transaction } from '../../platform/database/transaction.ts'
import type { RoomId } from '../../platform/ids.ts'
import { ProviderFailure, Refusal } from '../../platform/refusal.ts'
import type { MediaPort, RecordingStarted } from '../../ports/media.ts'
import { findRoom, noSuchRoom, noteToken, openRoom, type Room, requireMayEnter } from '../rooms/reads.ts'
import { applyNews, type ProviderEventNeeds, recordingChanged } from './provider-events.ts'
import { insertRecording, lockRecording, type NewRecording, setEgressId } from './store.ts'
import { takeEgressId } from './store-of-all.ts'

interface Needs extends ProviderEventNeeds {
  media: Pick<MediaPort, 'openRoom' | 'closeRoom' | 'startRecording'>
}

/** The caller waits for it. A media server without a free recorder may take longer to say so. */
const ANSWER_WITHIN_SECONDS = 10
const TRY_AGAIN_SECONDS = 120

/** Starts to record a room. What is known of it is written down before anybody outside is asked. */
export async function startRecording(
  needs: Needs,
  caller: CallerOf<'startRecording'>,
  input: Input<'startRecording'>,
): Promise<Reply<'startRecording'>> {
  const room = await findRoom(needs.db, caller.organization.id, input.roomName, caller.user.id)
  if (!room) throw noSuchRoom()
  await requireEntryOf(needs, caller, room)
  const recording = newRecording(needs, caller, input, room.id)
  await writeDown(needs, caller, recording)
  const started = await ask(needs, recording)
  if (started.outcome === 'refused') return refuse(needs, recording, started)
  if (started.outcome === 'unknown') {
    needs.log.warn({ err: started.cause, recording: recording.id }, 'nobody knows whether it records')
    throw Refusal.of('recording-outcome-unknown', { retryAfterSeconds: TRY_AGAIN_SECONDS })
  }
  const { egressId } = started.recording
  // by our own id: matching by egress id and time is for reports that come by themselves
  await transaction(needs.db, async (tx) => {
    // an event may have given the egress id to another recording by mistake: the answer to our call knows better
    await takeEgressId(tx, egressId, recording.id)
    await setEgressId(tx, recording.organization, recording.id, egressId)
  })
  await recordingChanged(needs, started.recording)
  return { status: 200, body: { egressId, timestamp: secondsOf(recording.requestedAt) } }
}

/** A recording shows and tells what goes on inside: it is begun by those whom the door lets in. @throws Refusal forbidden */
function requireEntryOf({ db, clock }: Needs, caller: CallerOf<'startRecording'>, room: Room): Promise<void> {
  const { id: organization, role } = caller.organization
  const at = { organization, room: room.id, user: caller.user.id }
  return requireMayEnter(db, room, { at, role }, clock.now())
}

/** Also who asked for it, whatever comes of it: they may be recorded although no answer came. */
function writeDown(needs: Needs, caller: CallerOf<'startRecording'>, recording: NewRecording): Promise<void> {
  const { id, organization, room, requestedAt } = recording
  return transaction(needs.db, async (tx) => {
    // a recorder comes in by a token, too
    if (await noteToken(tx, { organization, room }, requestedAt)) throw Refusal.of('room-sealed')
    if (!(await insertRecording(tx, recording))) throw Refusal.of('recording-running')
    await recordAudit(tx, organization, caller, requestedAt, {
      action: 'recording.started',
      target: { kind: 'recording', id },
      detail: { roomId: room },
    })
  })
}

function newRecording(
  needs: Needs,
  caller: CallerOf<'startRecording'>,
  input: Input<'startRecording'>,
  room: RoomId,
): NewRecording {
  const id = randomUUID()
  return {
    id,
    organization: caller.organization.id,
    room,
    conferenceTopic: input.conferenceTopic,
    zoneId: input.zoneId,
    participants: input.participants,
    startedBy: caller.user.id,
    requestedAt: needs.clock.now(),
    fileKey: `recordings/${caller.organization.identityId}/${id}.mp4`,
  }
}

async function ask(needs: Needs, recording: NewRecording): Promise<RecordingStarted> {
  try {
    // it may not be open, or not any more: the first to record waits for the others
    await openRoom(needs, recording.organization, recording.room)
    return await needs.media.startRecording({
      room: recording.room,
      fileKey: recording.fileKey,
      answerWithinSeconds: ANSWER_WITHIN_SECONDS,
    })
  } catch (error) {
    await giveUp(needs, recording, 'the media server could not be asked')
    throw error
  }
}

async function refuse(
  needs: Needs,
  recording: NewRecording,
  refused: RecordingStarted & { outcome: 'refused' },
): Promise<never> {
  await giveUp(needs, recording, `${refused.reason}: ${refused.detail}`)
  const { reason, detail } = refused
  if (reason === 'no-room') throw Refusal.of('room-not-live', { detail })
  if (reason === 'no-recorder')
    throw Refusal.of('no-recorder', { retryAfterSeconds: TRY_AGAIN_SECONDS, detail })
  throw new ProviderFailure('media', 'start recording', { retryable: false, cause: detail })
}

/** It certainly does not run: the room is free again at once. */
async function giveUp(needs: Needs, { organization, id }: NewRecording, failure: string): Promise<void> {
  await transaction(needs.db, async (tx) => {
    const recording = await lockRecording(tx, organization, id)
    if (recording) await applyNews(tx, recording, { state: 'failed', failure }, needs.clock.now())
  })
}

function secondsOf(moment: Date): number {
  return Math.floor(moment.getTime() / 1_000)
}
