import { type AnyMessage, type FieldInfo, type MessageType, proto3, ScalarType } from '@bufbuild/protobuf'

/** A field without its number and name. */
type Kind = Omit<FieldInfo, 'no' | 'name' | 'localName' | 'jsonName' | 'repeated' | 'packed' | 'default'> & {
  repeated?: boolean
}
type Fields = readonly (readonly [no: number, name: string, kind: Kind])[]

const scalar = (T: ScalarType): Kind => ({ kind: 'scalar', T }) as unknown as Kind
const [text, bytes, bool, uint32] = [
  scalar(ScalarType.STRING),
  scalar(ScalarType.BYTES),
  scalar(ScalarType.BOOL),
  scalar(ScalarType.UINT32),
] as const
const [int64, uint64] = [scalar(ScalarType.INT64), scalar(ScalarType.UINT64)] as const
const one = (T: MessageType): Kind => ({ kind: 'message', T }) as unknown as Kind
const many = (T: MessageType): Kind => ({ kind: 'message', T, repeated: true }) as unknown as Kind
/** By channel or name. */
const mapOf = (V: Kind): Kind => ({ kind: 'map', K: ScalarType.STRING, V }) as unknown as Kind

function message(name: string, fields: Fields): MessageType<AnyMessage> {
  const infos = fields.map(([no, field, kind]) => ({ no, name: field, ...kind }))
  return proto3.makeMessageType<AnyMessage>(`centrifugal.centrifuge.protocol.${name}`, infos as never)
}

/*
 * The part of Centrifugo's client protocol that this broker reads and writes, with the numbers of its schema
 * (centrifugal/protocol, as the package `centrifuge` 5.8.0 has it). What is not listed is skipped.
 */

const SubscribeRequest = message('SubscribeRequest', [
  [1, 'channel', text],
  [2, 'token', text],
  [3, 'recover', bool],
  [6, 'epoch', text],
  [7, 'offset', uint64],
  [8, 'data', bytes],
  [14, 'flag', int64],
])
/** Of the map `subs` of a `connect`: on the wire a map is a list of these. */
export const SubsEntry = message('SubsEntry', [
  [1, 'channel', text],
  [2, 'wanted', one(SubscribeRequest)],
])
const ConnectRequest = message('ConnectRequest', [
  [1, 'token', text],
  // bytes: counted before any of them is read
  [3, 'subs', { ...bytes, repeated: true }],
])
const ChannelRequest = message('ChannelRequest', [[1, 'channel', text]])
const RPCRequest = message('RPCRequest', [[2, 'method', text]])
const SendRequest = message('SendRequest', [])
const RefreshRequest = message('RefreshRequest', [[1, 'token', text]])
const SubRefreshRequest = message('SubRefreshRequest', [
  [1, 'channel', text],
  [2, 'token', text],
])

export const CommandMessage = message('Command', [
  [1, 'id', uint32],
  [4, 'connect', one(ConnectRequest)],
  [5, 'subscribe', one(SubscribeRequest)],
  [6, 'unsubscribe', one(ChannelRequest)],
  [7, 'publish', one(ChannelRequest)],
  [8, 'presence', one(ChannelRequest)],
  [9, 'presence_stats', one(ChannelRequest)],
  [10, 'history', one(ChannelRequest)],
  [12, 'send', one(SendRequest)],
  [13, 'rpc', one(RPCRequest)],
  [14, 'refresh', one(RefreshRequest)],
  [15, 'sub_refresh', one(SubRefreshRequest)],
])

const ErrorMessage = message('Error', [
  [1, 'code', uint32],
  [2, 'message', text],
  [3, 'temporary', bool],
])
const Publication = message('Publication', [
  [4, 'data', bytes],
  [6, 'offset', uint64],
  [7, 'tags', mapOf(text)],
])
const SubscribeResult = message('SubscribeResult', [
  [1, 'expires', bool],
  [2, 'ttl', uint32],
  [3, 'recoverable', bool],
  [6, 'epoch', text],
  [7, 'publications', many(Publication)],
  [8, 'recovered', bool],
  [9, 'offset', uint64],
  [10, 'positioned', bool],
  [12, 'was_recovering', bool],
])
const Subscribe = message('Subscribe', [
  [1, 'recoverable', bool],
  [4, 'epoch', text],
  [5, 'offset', uint64],
  [6, 'positioned', bool],
])
const Unsubscribe = message('Unsubscribe', [
  [2, 'code', uint32],
  [3, 'reason', text],
])
const Refresh = message('Refresh', [
  [1, 'expires', bool],
  [2, 'ttl', uint32],
])
const ConnectResult = message('ConnectResult', [
  [1, 'client', text],
  [2, 'version', text],
  [3, 'expires', bool],
  [4, 'ttl', uint32],
  [6, 'subs', mapOf(one(SubscribeResult))],
  [7, 'ping', uint32],
  [8, 'pong', bool],
])
const RefreshResult = message('RefreshResult', [
  [3, 'expires', bool],
  [4, 'ttl', uint32],
])
const Push = message('Push', [
  [2, 'channel', text],
  [4, 'pub', one(Publication)],
  [7, 'unsubscribe', one(Unsubscribe)],
  [9, 'subscribe', one(Subscribe)],
  [12, 'refresh', one(Refresh)],
])

export const ReplyMessage = message('Reply', [
  [1, 'id', uint32],
  [2, 'error', one(ErrorMessage)],
  [4, 'push', one(Push)],
  [5, 'connect', one(ConnectResult)],
  [6, 'subscribe', one(SubscribeResult)],
  [7, 'unsubscribe', one(message('UnsubscribeResult', []))],
  [14, 'refresh', one(RefreshResult)],
  [
    15,
    'sub_refresh',
    one(
      message('SubRefreshResult', [
        [1, 'expires', bool],
        [2, 'ttl', uint32],
      ]),
    ),
  ],
])
