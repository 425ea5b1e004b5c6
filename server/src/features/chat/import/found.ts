/** What an export of another chat says, in the order in which it is read. */
export type Found = FoundPerson | FoundConversation | FoundMessage | Untaken

export interface FoundPerson {
  kind: 'person'
  /** As messages name them. */
  key: string
  name: string
  email: string | undefined
}

export interface FoundConversation {
  kind: 'conversation'
  key: string
  title: string
  /** Keys of its members. */
  people: readonly string[]
  /** Of these people, without a name of its own. */
  isDirect: boolean
}

export interface FoundMessage {
  kind: 'message'
  conversation: string
  /** Unlike that of every other message of the conversation, unless `keysHaveTwins`. */
  key: string
  author: string
  /** Of an author who is no person of the export. */
  authorName: string | undefined
  at: Date
  isEdited: boolean
  /** As the export has it. */
  text: string
  /** Names of files: their bytes are not in an export. */
  files: readonly string[]
  /** The message that it answers. */
  parent: string | undefined
  reactions: readonly { name: string; people: readonly string[] }[]
}

/** Why something of an export is not imported, or not as it was. */
export type Reason =
  | 'unreadable'
  | 'too-long'
  | 'without-text'
  | 'without-time'
  | 'notice'
  | 'no-members'
  | 'unknown-conversation'
  | 'twice'
  | 'conversation-goes-on'
  | 'divided'
  | 'answers-nothing'
  | 'unknown-author'
  | 'files-left'
  | 'unknown-reaction'

/** Something that is not taken, and where it stands. */
export interface Untaken {
  kind: 'untaken'
  reason: Reason
  where: string
}

/** A person of the export, and who they are here. */
export interface KnownPerson {
  name: string
  id: string | undefined
}

/** One export, as its format has it. */
export interface ChatExport {
  format: 'slack' | 'mattermost'
  /** Its messages have no ids: several that say different things may have one key. */
  keysHaveTwins: boolean
  found(): AsyncIterable<Found>
  /** A text in the form that messages have here. */
  textOf(text: string, personOf: (key: string) => KnownPerson | undefined): string
}

/** What is wrong with an export as a whole: a sentence for the operator. */
export class ExportProblem extends Error {
  override name = 'ExportProblem'
}
