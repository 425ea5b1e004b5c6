import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../commands.ts'
import type { Walk } from '../walk.ts'
import { NODE_TOOLS, npmTools } from './npm-tools.ts'

/** What judges documents: no errors. */
export const LINTERS: readonly Walk[] = [
  linter('@redocly/cli', 'redocly', ['lint']),
  linter('@stoplight/spectral-cli', 'spectral', ['lint', '--fail-severity', 'error']),
]

function linter(name: '@redocly/cli' | '@stoplight/spectral-cli', program: string, args: string[]): Walk {
  return {
    software: `${program} ${NODE_TOOLS[name]}`,
    needs: 'npm',
    async walk({ url }, folder) {
      const tools = await npmTools(folder)
      await writeFile(join(folder, 'openapi.json'), await (await fetch(`${url}/openapi.json`)).text())
      await writeFile(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n')
      await run(tools.bin(program), [...args, 'openapi.json'], { cwd: folder })
    },
  }
}
