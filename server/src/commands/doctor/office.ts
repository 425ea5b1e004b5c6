import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../../configuration/config.ts'
import { addressOf } from '../running-node.ts'
import type { Finding } from './realtime.ts'

const ANSWER_WITHIN_MS = 5_000

interface Readiness {
  status: string
  parts: Record<string, string>
  problems?: string[]
}

/**
 * What the office says of itself that listens where the settings say; where none does, whether another program has its
 * port.
 */
export async function lookAtOffice({ host, port }: Pick<Config, 'host' | 'port'>): Promise<Finding[]> {
  const readiness = await readinessAt(host, port)
  if (!readiness) return await lookAtPort(host, port)
  const part = 'office'
  const troubled = Object.entries(readiness.parts).filter(([, state]) => state !== 'ok')
  const parts = troubled.map(([name, state]) => `${name} ${state}`).join(', ')
  const problems = (readiness.problems ?? []).map((problem) => `. ${problem}`).join('')
  if (readiness.status !== 'ready') {
    const says = `the one that runs on port ${port} is ${readiness.status}${parts ? `: ${parts}` : ''}${problems}.`
    return [{ part, ok: false, says }]
  }
  if (troubled.length === 0) return [{ part, ok: true, says: `the one that runs on port ${port} is ready` }]
  const says = `the one that runs on port ${port} is ready, but for ${parts}${problems}.`
  return [{ part, ok: true, warns: true, says }]
}

async function lookAtPort(host: string, port: number): Promise<Finding[]> {
  const trial = createServer()
  try {
    await once(trial.listen({ host, port, exclusive: true }), 'listening')
    trial.close()
    return []
  } catch (error) {
    if ((error as { code?: string }).code !== 'EADDRINUSE') return []
    const says = `port ${port} is in use by another program, and what answers there is no office: none can open here. Stop it, or choose another PORT.`
    return [{ part: 'office', ok: false, says }]
  }
}

async function readinessAt(host: string, port: number): Promise<Readiness | undefined> {
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const response = await fetch(`${addressOf(host, port)}/health/ready`, { redirect: 'error', signal })
    const body = (await response.json()) as Partial<Readiness>
    return typeof body.status === 'string' && typeof body.parts === 'object' ? (body as Readiness) : undefined
  } catch {
    return undefined
  }
}
