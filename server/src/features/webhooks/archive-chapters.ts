import { type ArchiveChapter, ROWS_OF_ORGANIZATION } from '../../directory/archive-chapter.ts'

const PASSING = 'how deliveries go at present'

export const webhooksChapter: ArchiveChapter = {
  name: 'webhooks',
  table: 'webhooks',
  columns: [
    ...['id', 'organization_id', 'events', 'bot_id', 'created_by', 'created_at', 'verified_at'],
    'switched_off_at',
  ],
  withheld: {
    url: 'may carry a secret of whoever receives',
    sealed_secret: 'secret',
    sealed_former_secret: 'secret',
    former_secret_until: 'of a secret',
    sealed_challenge: 'secret',
    challenge_until: 'of a secret',
    challenge_tries: 'of a secret',
    failing_since: PASSING,
    failures: PASSING,
    paused_until: PASSING,
  },
  order: ['id'],
  organization: {
    ...ROWS_OF_ORGANIZATION,
    people: ['created_by', 'bot_id'],
    numbers: { id: 'webhooks' },
    imported: { never: 'a webhook is nothing without its secret: make new ones' },
  },
}
