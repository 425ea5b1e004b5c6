import { useCallback, useState } from 'react'
import { client } from '../live/office-client.ts'

export type PartState = 'ok' | 'degraded' | 'down'

export interface Health {
  status: string
  parts: Record<string, PartState>
  /** Sentences of the office about what to do. */
  problems: readonly string[]
}

const WITHIN_MS = 10_000

/** What `/health/ready` says; where it does not answer, the office itself is away. */
export function useHealth(): { health: Health | undefined; read(): Promise<void> } {
  const [health, setHealth] = useState<Health>()
  const read = useCallback(async () => setHealth(await ask()), [])
  return { health, read }
}

async function ask(): Promise<Health> {
  try {
    const answer = await client.fetch(`${client.baseUrl}/health/ready`, {
      signal: AbortSignal.timeout(WITHIN_MS),
    })
    const { status, parts = {}, problems = [] } = (await answer.json()) as Partial<Health>
    return { status: status ?? 'away', parts, problems }
  } catch {
    return { status: 'away', parts: {}, problems: [] }
  }
}
