import { createAtriumClient } from '@atrium/client'
import { signInWithCode } from '@atrium/client/sign-in'
import {
  OfficeProvider,
  useChat,
  useConversation,
  useOffice,
  usePeople,
  useRooms,
  useSession,
} from '@atrium/react'
import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'

const client = createAtriumClient({ baseUrl: import.meta.env.VITE_OFFICE ?? 'http://localhost:3000' })

function App() {
  const session = useSession()
  if (session.state === 'unknown') return <p>One moment.</p>
  return session.state === 'signed-in' ? <Floor user={session.user} /> : <SignIn />
}

function SignIn() {
  const { session } = useOffice()
  const [email, setEmail] = useState()
  const [problem, setProblem] = useState()
  async function next(form) {
    try {
      const address = form.get('email')
      if (address) {
        await client.call('signUp', { email: address })
        return setEmail(address)
      }
      const end = await signInWithCode(client, { email, code: form.get('code') })
      if (end.state === 'choose') await end.choose(end.organizations[0].id)
      await session.refresh()
    } catch (error) {
      setProblem(error.message)
    }
  }
  return (
    <form action={next}>
      <label>
        {email ? 'Code' : 'E-mail address'} <input key={email} name={email ? 'code' : 'email'} required />
      </label>
      <button type="submit">Continue</button>
      <p role="status">{problem}</p>
    </form>
  )
}

function Floor({ user }) {
  const { session } = useOffice()
  const { people } = usePeople()
  const chat = useChat()
  const [id, setId] = useState()
  return (
    <main>
      <p>
        You are {user.displayName}.{' '}
        <button type="button" onClick={() => session.signOut()}>
          Sign out
        </button>
      </p>
      <ul>
        {people.map((person) => (
          <li key={person.id}>
            {person.displayName}: {person.status}{' '}
            {person.id !== user.id && (
              <button type="button" onClick={async () => setId((await chat.openWith(person.id)).id)}>
                Write
              </button>
            )}
          </li>
        ))}
      </ul>
      {id && <Talk id={id} />}
      <Rooms name={user.displayName} />
    </main>
  )
}

function Rooms({ name }) {
  const { rooms } = useRooms()
  const [inside, setInside] = useState()
  async function enter(roomId) {
    const { url, token } = await client.call('authorizeRoom', { roomId, username: name })
    // loaded with the first room; for sound and pictures see its `setMicrophoneEnabled` and `setCameraEnabled`
    const { Room } = await import('livekit-client')
    const call = new Room()
    call.on('disconnected', () => setInside(undefined))
    await call.connect(url, token)
    setInside({ roomId, leave: () => call.disconnect() })
  }
  return (
    <section>
      <h2>Rooms</h2>
      <p>In a room everybody sees you, also where you appear offline.</p>
      <ul>
        {rooms.map(({ id, name: roomName, people, guests }) => (
          <li key={id}>
            {roomName}: {people.map(({ displayName }) => displayName).join(', ') || 'nobody'}
            {guests > 0 && ` and ${guests} from outside`}{' '}
            {inside?.roomId === id ? (
              <button type="button" onClick={inside.leave}>
                Leave
              </button>
            ) : (
              <button type="button" disabled={inside !== undefined} onClick={() => enter(id)}>
                Enter
              </button>
            )}
          </li>
        ))}
      </ul>
      <form action={(form) => void client.call('createRoom', { name: form.get('room') })}>
        <label>
          New room <input name="room" required />
        </label>
        <button type="submit">Make it</button>
      </form>
    </section>
  )
}

function Talk({ id }) {
  const { messages, conversation } = useConversation(id)
  return (
    <section>
      <ol>
        {messages.map((message) => (
          <li key={message.client_message_id ?? message.message_id} className={message.state}>
            {message.content}
          </li>
        ))}
      </ol>
      <form action={(form) => void conversation.send(form.get('text'))}>
        <label>
          Message <input name="text" required />
        </label>
        <button type="submit">Send</button>
      </form>
    </section>
  )
}

createRoot(document.querySelector('#root')).render(
  <StrictMode>
    <OfficeProvider client={client}>
      <App />
    </OfficeProvider>
  </StrictMode>,
)
