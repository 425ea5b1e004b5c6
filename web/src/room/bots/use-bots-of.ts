import type { Room } from '@atrium/client/rooms'
import { usePeople } from '@atrium/react'
import { useQuery } from '@tanstack/react-query'
import { reading } from '../../live/queries.ts'

/** Names of the bots in a room, and of all where it always has them in. Those that were asked in the ticket names. */
export function useBotsOf({ agents, agentDispatch, sealed, locked, temporary }: Room): readonly string[] {
  const { people } = usePeople()
  const hasAll = agentDispatch === 'always' && !sealed && !locked && !temporary
  const { data } = useQuery({ ...reading('getOrganizationSettings'), enabled: hasAll })
  const inside = agents.map(({ name }) => name)
  if (!hasAll || data?.agents !== true) return inside
  const all = people.filter(({ isBot }) => isBot).map(({ displayName }) => displayName)
  return [...new Set([...inside, ...all])]
}
