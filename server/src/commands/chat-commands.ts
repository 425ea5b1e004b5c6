import type { Command } from 'commander'
import { openExportFiles } from '../features/chat/import/export-files.ts'
import { type ChatExport, ExportProblem, type Reason } from '../features/chat/import/found.ts'
import { type ImportReport, importChat } from '../features/chat/import/import-chat.ts'
import { bulkFileOf, mattermostExport } from '../features/chat/import/mattermost-export.ts'
import { isSlackExport, slackExport } from '../features/chat/import/slack-export.ts'
import { systemClock } from '../platform/clock.ts'
import {
  logCommand,
  type OperatorContext,
  onBehalfOfOperator,
  requireOrganization,
  withConfiguredDatabase,
} from './operator-commands.ts'

const SENTENCES: Readonly<Record<Reason, string>> = {
  unreadable: 'could not be read',
  'too-long': 'too long, not imported',
  'without-text': 'without a text, not imported',
  'without-time': 'without a time, not imported',
  notice: 'notices of the other chat (who came and went), not imported',
  'no-members': 'conversations of which no member is here, not imported',
  'unknown-conversation': 'conversations that the export does not describe, not imported',
  twice: 'twice in the export, imported once',
  'conversation-goes-on': 'older than what was written here since, not imported',
  divided: 'longer than 4,000 characters, divided into several messages',
  'answers-nothing': 'answer a message that is not in the export: imported beside the others',
  'unknown-author': 'by people who are no members here: imported under their names, as of guests',
  'files-left': 'files, which are not in an export: their names are in the messages',
  'unknown-reaction': 'kinds of reactions that Unicode does not have, not imported',
}

/** Adds `atrium chat …`. */
export function addChatCommands(program: Command, context: OperatorContext): void {
  program
    .command('chat')
    .description('conversations of organizations (docs/chat-import.md)')
    .command('import <organizationId> <export>')
    .description(
      'bring in conversations from Slack (folder or ZIP) or Mattermost (bulk export, JSONL or ZIP)',
    )
    .option('--dry-run', 'read all of it and say what would be imported')
    .action(async (organizationId: string, path: string, { dryRun = false }: { dryRun?: boolean }) => {
      const report = await withConfiguredDatabase(context, async (db, config) => {
        const log = context.logOf(config)
        const organization = await requireOrganization(db, organizationId)
        await using files = await openExportFiles(path)
        const source = requireExport(files)
        const begin: Parameters<typeof importChat>[0]['begin'] = (connection, found) =>
          onBehalfOfOperator({ db: connection, log }, organization, async () => ({
            result: undefined,
            entry: {
              action: 'chat.imported',
              target: { kind: 'organization', id: organizationId },
              detail: { format: source.format, ...found },
            },
          }))
        const needs = { db, now: systemClock.now(), begin }
        const done = await importChat(needs, source, organization.id, { isTrial: dryRun })
        if (dryRun) logCommand(log, { command: 'chat.import-tried', organization: organizationId })
        return done
      })
      requireSomething(report)
      for (const line of linesOf(report, dryRun)) context.print(line)
      context.end()
    })
}

const NO_EXPORT =
  'This is no export of Slack (users.json and folders of days) nor of Mattermost (a file of JSON lines)'

/** @throws ExportProblem where nothing at all was found: neither a message nor a person */
function requireSomething({ messages, alreadyThere, people }: ImportReport): void {
  if (messages + alreadyThere + people.known + people.unknown === 0) throw new ExportProblem(NO_EXPORT)
}

/** @throws ExportProblem */
function requireExport(files: Parameters<typeof slackExport>[0]): ChatExport {
  if (isSlackExport(files)) return slackExport(files)
  const bulk = bulkFileOf(files)
  if (bulk !== undefined) return mattermostExport(files, bulk)
  throw new ExportProblem(NO_EXPORT)
}

function linesOf(report: ImportReport, isTrial: boolean): string[] {
  const { conversations, messages, alreadyThere, joined, given, people, told } = report
  return [
    `${isTrial ? 'Would import' : 'Imported'} ${messages} messages of ${conversations} conversations; ${alreadyThere} were here already.`,
    `Of the people of the export ${people.known} are members here, by their addresses, and ${people.unknown} are not.`,
    ...(joined + given === 0
      ? []
      : [
          `Of those who are members since an earlier import: ${joined} ${isTrial ? 'would come' : 'came'} to conversations that were here, and ${given} messages ${isTrial ? 'would become' : 'became'} theirs.`,
        ]),
    ...[...told].map(
      ([reason, { count, places }]) =>
        `${count} ${SENTENCES[reason]}: ${places.join('; ')}${count > places.length ? '; …' : ''}`,
    ),
  ]
}
