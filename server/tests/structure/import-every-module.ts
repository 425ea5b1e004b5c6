/**
 * Run as a process of its own by environment.test.ts: imports the modules of its arguments, one after the other, and
 * says on descriptor 3 what each did besides being there. Then it must end by itself.
 */
import { writeSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'

const REPORT = 3
const EVENTS = [
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  'exit',
  'beforeExit',
  'uncaughtException',
  'unhandledRejection',
]

/** Names that a package of ours adds and that cannot be kept from it: the AWS SDK, for functions that run at AWS. */
const GLOBALS_OF_PACKAGES = ['awslambda']

let written = 0
for (const stream of [process.stdout, process.stderr]) {
  stream.write = () => {
    written += 1
    return true
  }
}

function state() {
  // reading files is what importing does
  const handles = process.getActiveResourcesInfo().filter((kind) => !/^(FSReq|Immediate)/.test(kind))
  return {
    'keeps the process alive': handles.length,
    'writes output': written,
    'listens to the process': EVENTS.reduce((sum, event) => sum + process.listenerCount(event), 0),
    'adds a global name': Object.getOwnPropertyNames(globalThis).filter(
      (name) => !GLOBALS_OF_PACKAGES.includes(name),
    ).length,
  }
}

for (const address of process.argv.slice(2)) {
  const before = state()
  try {
    await import(address)
    await turn()
  } catch (error) {
    writeSync(REPORT, `${JSON.stringify([address, `cannot be imported: ${error}`])}\n`)
  }
  for (const [what, count] of Object.entries(state())) {
    if (count > before[what as keyof typeof before]) writeSync(REPORT, `${JSON.stringify([address, what])}\n`)
  }
}
writeSync(REPORT, '"end"\n')
