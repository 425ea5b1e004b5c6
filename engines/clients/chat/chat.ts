import assert from 'node:assert/strict'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../commands.ts'
import { sceneOf } from '../scene.ts'
import { buildGo, type Command, pythonWith, sourceOf } from '../toolchains.ts'
import type { OfficeOfWalks, Walk } from '../walk.ts'

/** PostgREST's clients at the chat data: each opens a conversation, writes, reads by function and by table, and is refused. */

const [PYTHON, GO] = ['2.34.1', 'v0.0.11']

export const CHAT: readonly Walk[] = [
  {
    software: `postgrest-py ${PYTHON} (Python)`,
    needs: 'python3',
    async walk(office) {
      await writes(office, [await pythonWith([`postgrest==${PYTHON}`]), sourceOf('chat/write.py')])
    },
  },
  {
    software: `postgrest-go ${GO} (Go)`,
    needs: 'go',
    async walk(office, folder) {
      await copyFile(sourceOf('chat/write.go'), join(folder, 'write.go'))
      await writes(office, await buildGo(folder, [`github.com/supabase-community/postgrest-go ${GO}`]))
    },
  },
]

let written = 0

/** What Ada's program writes, Grace reads; the program's own reading it judges by itself. */
async function writes(office: OfficeOfWalks, [program, ...args]: Command): Promise<void> {
  const { url, ada, grace } = await sceneOf(office)
  const { token } = await ada.client.call('mintChatToken')
  written += 1
  const content = `Grüße, Nr. ${written}: 100 % & <b> 🎈`
  const env = { REST: `${url}/rest/v1`, TOKEN: token, PEER: grace.id, CONTENT: content }
  const said = await run(program, args, { env })
  const conversation = /^all of it: (\d+)$/m.exec(said)?.[1]
  assert.ok(conversation, said)
  const { messages } = await grace.client.call('listMessages', { conversationId: Number(conversation) })
  assert.equal(messages.at(-1)?.content, content)
}
