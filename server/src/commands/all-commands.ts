import type { Command } from 'commander'
import { addBackupCommands } from './backup/backup-commands.ts'
import { addChatCommands } from './chat-commands.ts'
import { addDatabaseCommands } from './database-commands.ts'
import { addKeysCommands } from './keys-commands.ts'
import {
  addDatabaseUrlCommand,
  addDoctorCommand,
  addMigrateCommand,
  addOpenApiCommand,
} from './office-commands.ts'
import { addPilotTokenCommands, type OperatorContext } from './operator-commands.ts'
import { addDomainCommands, addSingleSignOnCommands } from './operator-sign-on.ts'
import { addOrganizationCommands } from './organization-commands.ts'
import { addSupportCommand } from './support.ts'
import { addTopCommand } from './top.ts'
import { addWorkCommands } from './work-commands.ts'

/**
 * Adds every command that comes to an end, in the order in which the help tells them.
 * @param surroundings the variables of the environment, and the folder of the checkout
 */
export function addCommands(
  program: Command,
  operator: OperatorContext,
  surroundings: { environment: NodeJS.ProcessEnv; root: string },
): void {
  addMigrateCommand(program, operator)
  addDoctorCommand(program, operator, surroundings)
  addOpenApiCommand(program, operator)
  addDatabaseUrlCommand(program, operator)
  addOrganizationCommands(program, operator)
  addPilotTokenCommands(program, operator)
  addDomainCommands(program, operator)
  addSingleSignOnCommands(program, operator)
  addWorkCommands(program, operator)
  addTopCommand(program, operator)
  addSupportCommand(program, operator, surroundings)
  addDatabaseCommands(program, operator)
  addKeysCommands(program, operator)
  addBackupCommands(program, operator)
  addChatCommands(program, operator)
}
