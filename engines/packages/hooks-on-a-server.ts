/** A script of its own, in plain JavaScript: every hook rendered to text, where no browser and no office is. */
export const SERVER_SCRIPT = `
import { createAtriumClient } from '@atrium/client'
import { createStore } from '@atrium/client/store'
import { OfficeProvider, useChat, useConnection, useConversation, useConversationChoices, useConversations, useLobby, useOffice, usePeople,
  useRealtime, useRoom, useRoomConversation, useRooms, useSession, useStore, useThreads, useUploads } from '@atrium/react'
import { createElement, StrictMode } from 'react'
import { renderToString } from 'react-dom/server'

const fetch = () => { throw new Error('nothing is asked on a server') }
const client = createAtriumClient({ baseUrl: 'http://office.example', fetch })
const store = createStore('a store')
function Everything() {
  const all = [useSession(), useConnection(), useRealtime(), usePeople(), useRooms(), useRoom('1'), useLobby('1'),
    useChat(), useConversations(), useConversation(1), useConversationChoices(), useThreads(), useRoomConversation('1'), useStore(store), useUploads(undefined),
    useOffice().client === client]
  return createElement('pre', null, JSON.stringify(all))
}
const office = createElement(OfficeProvider, { client }, createElement(Everything))
console.log(renderToString(createElement(StrictMode, null, office)))
`
