import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { makeWhatStays } from './what-stays.ts'

/**
 * `node acceptance/fill.ts <url>`: makes what archives are tested with in the office at that address. What an operator
 * does for it is done with the settings of the environment, which have to be those of that office.
 */

const ENTRY = fileURLToPath(new URL('../server/bin/atrium.js', import.meta.url))

const url = process.argv[2]
if (!url) throw new Error('node acceptance/fill.ts <url>')
await makeWhatStays(
  { url },
  {
    async command(...args) {
      const { stdout } = await promisify(execFile)(process.execPath, [ENTRY, ...args])
      return stdout
    },
  },
)
