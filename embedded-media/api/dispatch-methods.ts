import {
  AgentDispatch,
  CreateAgentDispatchRequest,
  DeleteAgentDispatchRequest,
  ListAgentDispatchRequest,
  ListAgentDispatchResponse,
} from '@livekit/protocol'
import { fieldOf, recordOf, textOf } from './api-messages.ts'
import { checkedMetadata, type Method, type MethodNeeds, mayAdminister } from './twirp-methods.ts'

type Body = Record<string, unknown>

/** Of LiveKit's `AgentDispatchService`. */
export const DISPATCH_METHODS: Readonly<Record<string, Method>> = {
  'livekit.AgentDispatchService/CreateDispatch': {
    request: CreateAgentDispatchRequest,
    reply: AgentDispatch,
    allows: mayAdminister,
    answer: (needs, body) =>
      needs.dispatches.create(roomOf(needs, body), {
        agentName: textOf(body, 'agentName'),
        metadata: checkedMetadata(body),
        deployment: textOf(body, 'deployment'),
        attributes: textsByName(fieldOf(body, 'attributes')),
        restartPolicy: textOf(body, 'restartPolicy') || 'JRP_ON_FAILURE',
      }),
  },
  'livekit.AgentDispatchService/ListDispatch': {
    request: ListAgentDispatchRequest,
    reply: ListAgentDispatchResponse,
    allows: mayAdminister,
    answer: (needs, body) => ({
      agentDispatches: needs.dispatches.list(roomOf(needs, body), textOf(body, 'dispatchId')),
    }),
  },
  'livekit.AgentDispatchService/DeleteDispatch': {
    request: DeleteAgentDispatchRequest,
    reply: AgentDispatch,
    allows: mayAdminister,
    answer: (needs, body) => needs.dispatches.remove(roomOf(needs, body), textOf(body, 'dispatchId')),
  },
}

function roomOf({ rooms }: MethodNeeds, body: Body) {
  return rooms.require(textOf(body, 'room'))
}

function textsByName(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(recordOf(value)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
}
