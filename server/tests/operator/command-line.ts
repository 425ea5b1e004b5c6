import { Command } from 'commander'
import { addChatCommands } from '../../src/commands/chat-commands.ts'
import { addKeysCommands } from '../../src/commands/keys-commands.ts'
import { addPilotTokenCommands, type OperatorContext } from '../../src/commands/operator-commands.ts'
import { addDomainCommands, addSingleSignOnCommands } from '../../src/commands/operator-sign-on.ts'
import { addOrganizationCommands } from '../../src/commands/organization-commands.ts'
import { readConfig } from '../../src/configuration/config.ts'
import { type Log, openLog } from '../../src/platform/log.ts'
import type { TestOffice } from '../office.ts'

const SILENT = openLog({ level: 'silent', forPeople: false })

/**
 * What an operator types behind `atrium`, beside an office that is open.
 * @returns what it prints
 * @throws what ends the command
 */
export async function atrium(
  { database }: Pick<TestOffice, 'database'>,
  args: readonly string[],
  { settings, log = SILENT }: { settings?: Record<string, string>; log?: Log } = {},
): Promise<string> {
  const printed: string[] = []
  const context: OperatorContext = {
    configuration: async () =>
      readConfig({ ATRIUM_ENV: 'test', DATABASE_URL: database.connectionString, ...settings }, '/nowhere'),
    logOf: () => log,
    print: (line) => void printed.push(line),
    complain: (line) => void printed.push(line),
    end: () => undefined,
  }
  const program = new Command().exitOverride()
  addPilotTokenCommands(program, context)
  addOrganizationCommands(program, context)
  addDomainCommands(program, context)
  addSingleSignOnCommands(program, context)
  addKeysCommands(program, context)
  addChatCommands(program, context)
  await program.parseAsync(['node', 'atrium', ...args])
  return printed.join('\n')
}
