import { CHAT_DATA_PATH, CHAT_FUNCTIONS, CHAT_TABLES } from '@atrium/contract'
import type { Place } from './place.ts'
import type { Scene } from './scene.ts'
import { encoded, send } from './send.ts'
import { MARKS, WORST_TEXTS, WORST_VALUES } from './texts.ts'

type Json = Record<string, unknown>

const BODY_BYTES = 250 * 1_024
const ADDRESS_BYTES = 4 * 1_024
const MARK = 'the-worst-text-comes-here'
const ASKED = ['select', 'order', 'limit', 'offset']

/** What the database says of its own functions and tables: a new parameter or column is among them by itself. */
async function readCatalogue({ database }: Scene) {
  const functions = await database.query<{ name: string; parameters: string[] }>(
    `select p.proname as name, coalesce(p.proargnames[1:p.pronargs], '{}') as parameters
       from pg_proc p where p.proname = any($1)`,
    [[...CHAT_FUNCTIONS]],
  )
  const columns = await database.query<{ name: string; columns: string[] }>(
    `select table_name as name, array_agg(column_name::text order by ordinal_position) as columns
       from information_schema.columns where table_name = any($1) group by 1`,
    [[...CHAT_TABLES, 'chat_presence_rows']],
  )
  return { functions: functions.rows, tables: columns.rows }
}

/** Every parameter of every function, every column of every table, and what a sender says of a message. */
export async function chatPlaces(scene: Scene): Promise<Place[]> {
  const { functions, tables } = await readCatalogue(scene)
  return [
    ...functions.flatMap(({ name, parameters }) =>
      parameters.map((parameter) =>
        inBody(
          scene,
          `/rpc/${name}`,
          parameter,
          parameter === 'p_title' ? WORST_TEXTS : [MARKS, ...WORST_TEXTS.slice(7, 9)],
        ),
      ),
    ),
    inBody(scene, '/rpc/open_conversation', 'p_user_ids', WORST_VALUES),
    inBody(scene, '/messages', 'content', WORST_TEXTS),
    ...['conversation_id', 'parent_message_id', 'client_message_id'].map((name) =>
      inBody(scene, '/messages', name, [MARKS, ...WORST_TEXTS.slice(7, 8)]),
    ),
    inBody(scene, '/messages', 'content', WORST_VALUES),
    ...tables.flatMap(({ name, columns }) => inAddress(scene, name.replace(/^chat_|_rows$/g, ''), columns)),
  ]
}

function inBody(scene: Scene, path: string, field: string, worst: Place['worst']): Place {
  const { conversationId, peerId } = scene.chat
  const bases: Record<string, Json> = {
    '/messages': { conversation_id: conversationId, content: 'Hello' },
    '/rpc/open_conversation': { p_user_ids: [Number(peerId)], p_title: null },
    '/rpc/get_conversation_messages': { p_conversation_id: conversationId },
    '/rpc/update_read_cursor': { p_conversation_id: conversationId, p_last_read_message_id: 1 },
  }
  const template = JSON.stringify({ ...bases[path], [field]: MARK })
  return {
    group: 'chat: bodies',
    name: `${path} ${field}`,
    worst,
    bytesMax: BODY_BYTES,
    prepare: (made) =>
      send(scene.url, {
        method: 'POST',
        path: CHAT_DATA_PATH + path,
        headers: { ...bearer(scene), 'content-type': 'application/json' },
        body: template.replace(JSON.stringify(MARK), () =>
          worst === WORST_VALUES ? made : JSON.stringify(made),
        ),
      }),
  }
}

function inAddress(scene: Scene, table: string, columns: readonly string[]): Place[] {
  const [first = '', ...rest] = columns
  const everything = table === 'messages' ? WORST_TEXTS : [MARKS]
  const place = (name: string, query: (made: string) => string, worst: Place['worst']): Place => ({
    group: 'chat: addresses',
    name: `/${table} ${name}`,
    worst,
    bytesMax: ADDRESS_BYTES,
    prepare: (made) =>
      send(scene.url, {
        method: 'GET',
        path: `${CHAT_DATA_PATH}/${table}?${query(made)}`,
        headers: bearer(scene),
      }),
  })
  return [
    ...ASKED.map((name) => place(name, (made) => `${name}=${encoded(made)}`, everything)),
    place(`${first}=eq.`, (made) => `${first}=eq.${encoded(made)}`, everything),
    place(`${first}=in.()`, (made) => `${first}=in.(${encoded(made)})`, everything),
    place('a column', (made) => `${encoded(made)}=eq.1`, everything),
    ...rest.map((column) => place(`${column}=eq.`, (made) => `${column}=eq.${encoded(made)}`, [MARKS])),
  ]
}

function bearer({ chat }: Scene): Record<string, string> {
  return { authorization: `Bearer ${chat.token}` }
}
