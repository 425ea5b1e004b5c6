import { createAtriumClient } from '@atrium/client'
import { signInWithCode } from '@atrium/client/sign-in'
import { OfficeProvider, useChat, useConversation, useOffice, usePeople, useSession } from '@atrium/react'
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
    </main>
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
