import { traceWith } from '../../../platform/trace.ts'
import { VERSION } from '../../../platform/version.ts'
import type { Opening, Part } from '../../part.ts'

/** Opened before all others, so that it closes after them. What it needs is loaded only where traces are wanted. */
export async function openTraces({ config, log, stack }: Opening): Promise<Part> {
  if (!config.traces) return { needs: {} }
  const { openTelemetry } = await import('../../../adapters/open-telemetry/open-telemetry.ts')
  const telemetry = openTelemetry({ ...config.traces, version: VERSION, log })
  const end = traceWith(telemetry.tracer)
  stack.defer(async () => {
    end()
    await telemetry.close()
  })
  return { needs: {} }
}
