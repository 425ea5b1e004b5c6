import type { Server } from '../../platform/http/server.ts'
import { sendSandboxPage } from '../sandbox-page.ts'

const SCRIPT = `
const form = document.querySelector('form')
const note = document.querySelector('output')
const call = async (path, body) => {
  const init = body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}
  const answer = await fetch(path, { method: 'POST', ...init })
  return { ok: answer.ok, body: await answer.json() }
}
const go = ({ ok, body }) => {
  if (!ok) { note.value = body.message; return false }
  if (!body.authData?.redirectURL) return true
  sessionStorage.setItem('atrium-state', body.authData.state)
  location.assign(body.authData.redirectURL)
  return false
}
for (const button of document.querySelectorAll('button[data-path]'))
  button.addEventListener('click', async () => go(await call(button.dataset.path)))
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const { email, code } = Object.fromEntries(new FormData(form))
  if (code) {
    const { ok, body } = await call('/auth/finalize-magic-auth', { email, code })
    note.value = ok ? 'Signed in as ' + body.user.email : body.message
  } else if (go(await call('/auth/sign-in', { email }))) {
    form.code.hidden = false
    form.code.focus()
    note.value = 'If there is an account, a code is in the mailbox.'
  }
})
`
const STYLE =
  'main{max-width:26rem;margin:0 auto}main>button{display:block;width:100%;margin-top:.8rem}output{min-height:1.5em}'

/** `/sandbox/sign-in`: every way in, for who has no front end at hand. */
export function serveSignInPage(server: Server, domain: string): void {
  const page = {
    title: 'Sign in',
    path: '/sandbox/sign-in',
    about: `An address of <strong>${domain}</strong> goes to single sign-on; every other is mailed a code, to the <a href="/sandbox/mail">mailbox</a>.`,
    content: `<form>
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" required autocomplete="username" placeholder="ada@${domain}">
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" placeholder="Code from the mail" aria-label="Code" hidden>
<button class="primary">Continue</button>
<output aria-live="polite"></output>
</form>
<button data-path="/auth/continue-with-provider-a">Continue with provider A</button>
<button data-path="/auth/continue-with-provider-b">Continue with provider B</button>`,
    style: STYLE,
    script: SCRIPT,
  }
  server.get('/sandbox/sign-in', async (_request, reply) => sendSandboxPage(reply, page))
}
