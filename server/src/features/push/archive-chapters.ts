import { sql } from 'kysely'
import type { ArchiveChapter } from '../../directory/archive-chapter.ts'

export const pushSubscriptionsChapter: ArchiveChapter = {
  name: 'push-subscriptions',
  table: 'push_subscriptions',
  columns: ['id', 'shows', 'created_at'],
  withheld: {
    user_id: 'is the person',
    session_id: 'ends with the session',
    push_key_id: 'of this office',
    endpoint: 'an address of a push service, known to the browser alone',
    browser_key: 'secret of the browser',
    browser_secret: 'secret of the browser',
    paused_until: 'how its push service is at present',
  },
  order: ['id'],
  person: { where: ({ id }) => sql`t.user_id = ${id}` },
}
