import { gzipSync } from 'node:zlib'
import {
  ConnectionSettings,
  JoinRequest,
  SessionDescription,
  WrappedJoinRequest,
  WrappedJoinRequest_Compression,
} from '@livekit/protocol'
import { describe, expect, it } from 'vitest'
import { joinAskedIn } from './join-request.ts'

const { GZIP, NONE } = WrappedJoinRequest_Compression
const OFFER = new SessionDescription({ type: 'offer', sdp: 'v=0', id: 1 })
const REQUEST = new JoinRequest({
  connectionSettings: new ConnectionSettings({ autoSubscribe: true }),
  reconnect: true,
  participantSid: 'PA_1',
  publisherOffer: OFFER,
})

function newer(joinRequest: Uint8Array, compression: WrappedJoinRequest_Compression) {
  const wrapped = new WrappedJoinRequest({ joinRequest, compression }).toBinary()
  return asked('/rtc/v1', Buffer.from(wrapped).toString('base64').replaceAll('+', '-').replaceAll('/', '_'))
}

function asked(path: string, text: string) {
  const url = new URL(path, 'http://localhost')
  url.searchParams.set('join_request', text)
  return joinAskedIn(url)
}

describe('how a client asks to come in', () => {
  it('is read from one message at the newer path, compressed or not', () => {
    const expected = { isOneConnection: true, isBack: true, sid: 'PA_1', autoSubscribe: true, offer: OFFER }
    expect(newer(REQUEST.toBinary(), NONE)).toEqual(expected)
    expect(newer(gzipSync(REQUEST.toBinary()), GZIP)).toEqual(expected)
    expect(newer(new JoinRequest({ metadata: 'more' }).toBinary(), NONE)).toEqual({
      ...{ isOneConnection: true, isBack: false, sid: '', autoSubscribe: false, offer: undefined },
    })
  })

  it('is read from the query at the other', () => {
    const read = (query: string) => joinAskedIn(new URL(`/rtc${query}`, 'http://localhost'))
    const plain = { isOneConnection: false, offer: undefined }
    expect(read('')).toEqual({ ...plain, isBack: false, sid: '', autoSubscribe: true })
    expect(read('/validate?reconnect=1&sid=PA_1&auto_subscribe=0')).toEqual({
      ...{ ...plain, isBack: true, sid: 'PA_1', autoSubscribe: false },
    })
  })

  it.each([
    ['nothing', asked('/rtc/v1', '')],
    ['nothing, where it only asks whether it may', asked('/rtc/v1/validate', '')],
    ['no message', asked('/rtc/v1', 'AAAA')],
    ['what is not compressed', newer(REQUEST.toBinary(), GZIP)],
    ['what has no end', newer(gzipSync(Buffer.alloc(50_000_000)), GZIP)],
  ])('is no way in: %s', (_case, read) => {
    expect(read).toBeUndefined()
  })
})
