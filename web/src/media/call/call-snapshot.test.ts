import { ConnectionQuality, ConnectionState, type Participant, type Room } from 'livekit-client'
import { expect, it } from 'vitest'
import { OUTSIDE } from '../call-state.ts'
import { stateOf } from './call-snapshot.ts'

const participant = (identity: string, more: object = {}) =>
  ({
    ...{ identity, name: identity, attributes: {}, isLocal: false, isAgent: false },
    isMicrophoneEnabled: false,
    ...{ isSpeaking: false, connectionQuality: ConnectionQuality.Good, permissions: { canPublish: true } },
    getTrackPublications: () => [],
    attributes: {},
    ...more,
  }) as unknown as Participant
const roomWith = (others: readonly Participant[], activeSpeakers: readonly Participant[] = []) =>
  ({
    ...{ state: ConnectionState.Connected, isRecording: false, canPlaybackAudio: true, activeSpeakers },
    localParticipant: participant('me', { isLocal: true }),
    remoteParticipants: new Map(others.map((one) => [one.identity, one])),
  }) as unknown as Room

it('a bot is inside, also where it only listens, and none of the people; a guest who waits is not', () => {
  const bot = participant('17', { isAgent: true, permissions: { canPublish: false } })
  const waiting = participant('guest:1', { permissions: { canPublish: false } })
  const { people, bots, speaker } = stateOf(roomWith([bot, waiting, participant('ada')], [bot]), OUTSIDE)
  expect(people.map(({ identity, isBot }) => [identity, isBot])).toEqual([
    ['me', false],
    ['ada', false],
  ])
  expect(bots.map(({ identity, isBot }) => [identity, isBot])).toEqual([['17', true]])
  expect(speaker).toBeUndefined()
})

it('captions are made while a participant reads them, and can be asked for where the media server says so', () => {
  const reads = (captions: string) => participant('ada', { attributes: { captions } })
  const none = stateOf(roomWith([participant('ada')]), OUTSIDE)
  expect([none.captions, none.captionsMade]).toEqual([undefined, false])
  expect(stateOf(roomWith([reads('off')]), OUTSIDE).captionsMade).toBe(false)
  expect(stateOf(roomWith([reads('on')]), OUTSIDE).captionsMade).toBe(true)
  const room = Object.assign(roomWith([]), { localParticipant: reads('off') })
  expect(stateOf(room, OUTSIDE).captions).toBe('off')
})

it('a worker is the bot that the office says it is, and until then called as it has registered', () => {
  const [own, second] = [
    participant('17', { isAgent: true }),
    participant('17#second', { isAgent: true, attributes: { bot: '18' } }),
  ]
  const attributes = { 'lk.agent_name': 'note-taker' }
  const unknown = participant('agent-AJ_1', { isAgent: true, name: '', attributes })
  const introduced = participant('agent-AJ_2', {
    ...{ isAgent: true, name: 'Minutes', attributes: { ...attributes, bot: '18' } },
  })
  const { bots, people } = stateOf(roomWith([own, second, unknown, introduced, participant('9')]), OUTSIDE)
  expect(bots.map(({ botId, name }) => [botId, name])).toEqual([
    ['17', '17'],
    ['17', '17#second'],
    [undefined, 'note-taker'],
    ['18', 'Minutes'],
  ])
  expect(people.map(({ botId }) => botId)).toEqual([undefined, undefined])
})
