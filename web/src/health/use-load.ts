import { useCallback, useState } from 'react'
import { client } from '../live/office-client.ts'

/** What a node tells its operator: what `atrium top` shows, of the last minute or two. */
export interface LoadReport {
  seconds: number
  top: readonly LoadRow[]
  others: Load
}

interface Load {
  requests: number
  refused: number
  ms: number
  waitedMs: number
  loopMs: number
}

export interface LoadRow extends Load {
  /** Of an organization. */
  key: string
}

/** `closed`: it wants the operator's token, or another one. `absent`: it is told at another port, or not at all. */
export type Told = LoadReport | 'closed' | 'absent'

const WITHIN_MS = 10_000

/** Which organizations keep the node busy that answers. The token stays in this page, and is kept nowhere. */
export function useLoad(): { told: Told | undefined; ask(token: string): Promise<void> } {
  const [told, setTold] = useState<Told>()
  const ask = useCallback(async (token: string) => setTold(await reportFor(token)), [])
  return { told, ask }
}

async function reportFor(token: string): Promise<Told> {
  const answer = await client.fetch(`${client.baseUrl}/metrics/node`, {
    signal: AbortSignal.timeout(WITHIN_MS),
    ...(token && { headers: { authorization: `Bearer ${token}` } }),
  })
  if (answer.status === 401) return 'closed'
  if (!answer.ok) return 'absent'
  const { load } = (await answer.json()) as { load: { organizations: LoadReport } }
  return load.organizations
}
