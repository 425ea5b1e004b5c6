import type { OperationId } from '@atrium/contract'
import type { Caller, Expected } from './caller.ts'
import type { Plan } from './rule.ts'
import type { World } from './world.ts'

interface Call {
  id: OperationId
  input?: object
  says: string
  expected: Expected
  /** What is true after a success. */
  after?(body: never): void | Promise<void>
}

/** The step that is one call of one operation. */
export function calling(world: World, caller: Caller, { id, input = {}, says, expected, after }: Call): Plan {
  return {
    says: `${caller.name} ${says} → ${expected.status}${expected.error ? ` ${expected.error}` : ''}`,
    async act() {
      const body = await world.ask(caller.device, id, input, expected)
      if (expected.status < 300) await after?.(body as never)
    },
  }
}
