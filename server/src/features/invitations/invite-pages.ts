import { type ScriptPage, scriptPage } from '../../platform/http/script-page.ts'

/**
 * Takes somebody in by a token: in the account they are signed in to, else by a code that is mailed to them. Nothing
 * is used up before a button is pressed: programs that look at links press none.
 */
const SHARED = `
const main = document.querySelector('main')
const form = document.querySelector('form')
const [email, code, button] = form.elements
const say = (title, text) => {
  document.querySelector('h1').textContent = title
  document.querySelector('p').textContent = text
}
const call = async (path, body) => {
  const headers = body ? { 'content-type': 'application/json' } : {}
  const init = { method: 'POST', headers, ...(body && { body: JSON.stringify(body) }) }
  const answer = await fetch(path, init).catch(() => undefined)
  const reply = await answer?.json().catch(() => undefined)
  const silence = { message: 'The office does not answer. Try again later.' }
  return { ok: answer?.ok ?? false, status: answer?.status, body: reply ?? silence }
}
const show = (field, text) => {
  for (const other of [email, code]) other.hidden = other.disabled = other !== field
  button.textContent = text
  form.hidden = false
  ;(field ?? button).focus()
}
const end = (title, text) => { form.hidden = true; say(title, text) }
const arrive = async (title) => {
  const { ok, body } = await call('/api/v1/organizations/list')
  end(title, ok ? 'Your organizations: ' + body.map((one) => one.organizationName).join(', ') + '.' : '')
}

// what the button does next; answers what went wrong, if anything did
let next
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  button.disabled = true
  const problem = await next()
  button.disabled = false
  if (problem) document.querySelector('p').textContent = problem
})
const signUp = async () => {
  const { ok, body } = await call('/auth/member-sign-up', { email: email.value, inviteToken: token })
  if (!ok) return body.message
  if (body.authMethod === 'sso') return await goToSingleSignOn()
  say('Look into your mailbox', 'A code is on its way to ' + email.value + '.')
  next = finalize
  show(code, 'Continue')
}
const finalize = async () => {
  const { ok, body } = await call('/auth/finalize-magic-auth', { email: email.value, code: code.value })
  if (body.error === 'single-sign-on-required') return await goToSingleSignOn()
  if (!ok) return body.message
  const { joined } = body
  const missed = joined && joined.state !== 'joined'
  if (!body.user.organizations) {
    await arrive(missed ? 'You are signed in' : 'You are in')
    if (missed) say('You are signed in', dead[joined.state])
    return
  }
  form.hidden = true
  say('Where to?', 'You belong to several organizations.')
  const { pendingAuthenticationToken } = body.user
  for (const { id, name } of body.user.organizations) {
    const choice = form.cloneNode()
    choice.hidden = false
    choice.append(Object.assign(document.createElement('button'), { textContent: name }))
    choice.addEventListener('submit', async (event) => {
      event.preventDefault()
      const chosen = await call('/auth/select-organization', { pendingAuthenticationToken, organizationId: id })
      if (!chosen.ok) return say('Not signed in', chosen.body.message)
      for (const other of main.querySelectorAll('form')) other.hidden = true
      await arrive('You are in')
    })
    form.before(choice)
  }
}
const dead = {
  expired: 'The invitation has expired meanwhile: ask for a new one.',
  revoked: 'The link or invitation no longer holds: ask for a new one.',
  removed: 'You were taken out of this organization: ask for a new invitation.',
}
const goToSingleSignOn = async () => {
  const { ok, body } = await call('/auth/sign-in', { email: email.value })
  if (!ok || !body.authData.redirectURL) return body.message ?? 'Begin again.'
  sessionStorage.setItem('atrium-state', body.authData.state)
  location.assign(body.authData.redirectURL)
}
`

const JOIN = `${SHARED}
const token = new URLSearchParams(location.search).get('invite_token') ?? ''
const look = token && (await fetch('/auth/invite-link?token=' + encodeURIComponent(token)).catch(() => undefined))
const link = look && (await look.json().catch(() => undefined))
const join = async () => {
  const { ok, status, body } = await call('/api/v1/organizations/join', { inviteToken: token })
  if (ok) return await arrive('You are in ' + body.organizationName)
  if (status !== 401) return body.message
  say('Join ' + link.organizationName, 'With which address?')
  next = signUp
  show(email, 'Continue')
}
if (!token) end('Nothing to join', 'This page is where invite links lead.')
else if (!look?.ok) end('This link does not work', link?.message ?? 'The office does not answer. Try again later.')
else {
  say('Join ' + link.organizationName, 'Somebody has given you the link of their organization.')
  next = join
  show(undefined, 'Join')
}
document.body.dataset.done = 'true'
`

const ACCEPT = `${SHARED}
const token = new URLSearchParams(location.search).get('invitation_token') ?? ''
const look = await fetch('/auth/invitation?token=' + encodeURIComponent(token)).catch(() => undefined)
const invitation = (await look?.json().catch(() => undefined)) ?? { message: 'The office does not answer. Try again later.' }
const accept = async () => {
  const { ok, status, body } = await call('/auth/invitation/accept', { token })
  if (ok) return await arrive('You are in ' + invitation.organizationName)
  if (status === 401) return await signUp()
  if (body.error !== 'invitation-for-another-address') return body.message
  next = async () => (await call('/auth/sign-out'), await signUp())
  show(undefined, 'Sign out and go on as ' + invitation.email)
  return body.message
}
if (!token) end('No invitation', 'This page is where the links of invitations lead.')
else if (!look?.ok) end('No invitation', invitation.message)
else if (invitation.state !== 'pending') {
  const advice = invitation.state === 'accepted' ? 'It works once.' : 'Ask whoever invited you for a new one.'
  end('This invitation is ' + invitation.state, advice)
}
else {
  const until = new Date(invitation.expiresAt).toLocaleString()
  say(invitation.organizationName + ' invites you', 'For ' + invitation.email + ', as ' + invitation.role + ', until ' + until + '.')
  email.value = invitation.email
  next = accept
  show(undefined, 'Accept')
}
document.body.dataset.done = 'true'
`

const FORM = `<form hidden>
<input type="email" required autocomplete="username" aria-label="E-mail address" placeholder="E-mail address" hidden disabled>
<input required inputmode="numeric" autocomplete="one-time-code" aria-label="Code" placeholder="Code from the mail" hidden disabled>
<button>Continue</button>
</form>
`

/** `/join`: where the invite link of an organization leads. */
export function joinPage(): ScriptPage {
  const text = 'One moment.'
  return scriptPage({ title: 'Join', heading: 'An invite link …', text, body: FORM, script: JOIN })
}

/** `/invitation`: where the links of mailed invitations lead. */
export function invitationPage(): ScriptPage {
  const heading = 'An invitation …'
  return scriptPage({ title: 'Invitation', heading, text: 'One moment.', body: FORM, script: ACCEPT })
}
