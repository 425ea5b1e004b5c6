/** What floats over a person's picture for a moment, by its name on the wire. */
export const reactions = ['clap', 'up', 'heart', 'laugh', 'party', 'eyes'] as const
export type Reaction = (typeof reactions)[number]

/** What clients in a room tell each other, guests too, beside sound and pictures. */
export type RoomSignal =
  | { topic: 'atrium.hand'; raised: boolean; since: number }
  /** A person has come in, and knows of no hands yet. */
  | { topic: 'atrium.hands-asked' }
  | { topic: 'atrium.reaction'; reaction: Reaction }

/** Nothing that is said here is longer. */
const BYTES_MAX = 256

export function encodeSignal({ topic, ...said }: RoomSignal): {
  topic: string
  payload: Uint8Array<ArrayBuffer>
} {
  return { topic, payload: new TextEncoder().encode(JSON.stringify(said)) }
}

/** @returns undefined for anything that is not said here: other programs may talk in the same room */
export function decodeSignal(topic: string | undefined, payload: Uint8Array): RoomSignal | undefined {
  if (payload.byteLength > BYTES_MAX) return undefined
  const said = parse(payload)
  if (topic === 'atrium.hands-asked') return { topic }
  if (topic === 'atrium.hand' && typeof said.raised === 'boolean' && Number.isFinite(said.since))
    return { topic, raised: said.raised, since: said.since as number }
  const reaction = reactions.find((one) => one === said.reaction)
  if (topic === 'atrium.reaction' && reaction) return { topic, reaction }
  return undefined
}

function parse(payload: Uint8Array): Record<string, unknown> {
  try {
    return (JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown> | null) ?? {}
  } catch {
    return {}
  }
}
